@echo off
rem Starts Polder from its package on Windows, which needs a Java 17 runtime or newer and nothing else. Untried: no Windows was at hand.
setlocal
set "home=%~dp0.."
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
"%java%" -version >nul 2>&1
if errorlevel 1 (
  echo polder: no Java was found: install a Java runtime 17 or newer, or set JAVA_HOME 1>&2
  exit /b 1
)
rem What lib\engine.sh sets elsewhere, with its reasons; the rest of it is glibc's.
if not defined MKL_DYNAMIC set "MKL_DYNAMIC=FALSE"
if not defined ONEDNN_MAX_CPU_ISA set "ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16"
if not defined OPENCV_LOG_LEVEL set "OPENCV_LOG_LEVEL=SILENT"
"%java%" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Djava.awt.headless=true ^
  -Dorg.bytedeco.javacpp.maxBytes=0 -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 ^
  -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 "-Dpolder.home=%home%" %POLDER_JAVA_OPTIONS% ^
  -cp "%home%\lib\*" io.polder.cli.Main %*
exit /b %errorlevel%
