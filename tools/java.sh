# Sourced by whatever starts Polder for a user: finds Java, and what it is to know of the terminal. Whoever sources it has a function fail, and
# says which kind of Java is enough and Debian's package of it.

# Java 17 or newer: JAVA_HOME's, or the one on the PATH. Its version is in a file: asking java itself would take longer
# than answering --help.
if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it: point it at a $kind 17 or newer"
else
  java=$(command -v java) || fail "no Java was found: install a $kind 17 or newer (Debian: apt install $package)"
fi
release=$(dirname -- "$(dirname -- "$(readlink -f -- "$java" 2>/dev/null || echo "$java")")")/release
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$release" 2>/dev/null || true)
[ -n "$version" ] || version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
[ "${version:-0}" -ge 17 ] || fail "$java is Java ${version:-of an unknown version}: install a $kind 17 or newer, or set JAVA_HOME"

columns=0
if [ -t 2 ]; then
  columns=$(stty size <&2 2>/dev/null | sed 's/.* //')
  [ "${columns:-0}" -gt 0 ] || columns=80
fi
