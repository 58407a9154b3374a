#!/bin/sh
# ARCHIVE JAVA_HOME: unpacks the package and uses it as somebody does who has a Java runtime, an empty home and nothing else.
set -eu
fail() {
  echo "try.sh: $1" >&2
  exit 1
}
archive=$1 java=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
home=$place/home programs="$place/my programs"
mkdir "$home" "$programs" "$place/tools"
tar -xzf "$archive" -C "$programs"
# What every POSIX system has; no Maven, no compiler, no Java but the one that is named.
for tool in sh dirname readlink sed head cat stty locale; do
  ln -s "$(command -v "$tool")" "$place/tools/$tool"
done
ln -s "$programs"/polder-*/bin/polder "$place/tools/polder"
cd "$home"
# Java asks the system for the user's home, whatever HOME says.
polder() {
  env -i HOME="$home" PATH="$place/tools" JAVA_HOME="$java" OMP_NUM_THREADS=1 \
    POLDER_JAVA_OPTIONS="-Duser.home=$home" POLDER_CACHE="$home/cache" polder "$@"
}

polder --version | grep -q '^polder [0-9]' || fail "no version"
polder help train | grep -q -- --epochs || fail "no help"
polder doctor | grep -q '^Engine *libtorch' || fail "no engine"
polder train quick-fashion --out run --threads 1 -s steps=2 -s data.images=64 -s data.evaluateOn=validation -s data.validation=32 2>/dev/null |
  grep -q '^validation error' || fail "no training"
polder evaluate run --json | grep -q '"confusion"' || fail "no evaluation"

# The path of somebody with pictures in two folders.
for i in 1 2 3 4 5 6; do
  mkdir -p photos/red photos/blue
  echo iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4ISICRAwQCgAdHgPBlBPSlgAAAABJRU5ErkJggg== | base64 -d >photos/red/$i.png
  echo iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mMQETkBRAwQCgAXfgPBKM2vwgAAAABJRU5ErkJggg== | base64 -d >photos/blue/$i.png
done
polder train my-photos --data photos --out pets --threads 1 --epochs 2 --batch 4 2>/dev/null | grep -q '^validation error' || fail "no photos"
polder evaluate pets --on test | grep -q '^red  *1 ' || fail "no errors by class"
polder predict pets photos/red/1.png | grep -q '^photos/red/1.png: ' || fail "no prediction"
if polder predict pets photos/red/1.png gone.png >/dev/null 2>&1; then fail "a picture that is not there is no failure"; fi

cd "$programs"/polder-*/
for jar in lib/*.jar; do
  name=$(basename "$jar" | sed 's/-[0-9].*//')
  case $name in
    polder-*) ;;
    *) grep -q "\`$name-\*\`" licences/THIRD-PARTY.md || fail "licences/THIRD-PARTY.md says nothing of $jar" ;;
  esac
done
for file in LICENSE NOTICE share/man/man1/polder.1 share/man/man1/polder-train.1 share/bash-completion/completions/polder \
  share/zsh/site-functions/_polder share/fish/vendor_completions.d/polder.fish; do
  [ -s "$file" ] || fail "no $file"
done
bash -n share/bash-completion/completions/polder || fail "the completion is no bash"
echo "the package works: $(du -sh lib | cut -f 1) of jars"
