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

# The commands of docs/ways-in.md on pictures in two folders, each with less to do.
for i in 1 2 3 4 5 6; do
  mkdir -p photos/red photos/blue
  echo iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4ISICRAwQCgAdHgPBlBPSlgAAAABJRU5ErkJggg== | base64 -d >photos/red/$i.png
  echo iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mMQETkBRAwQCgAXfgPBKM2vwgAAAABJRU5ErkJggg== | base64 -d >photos/blue/$i.png
done
echo '{ name: smoke, base: quick-fashion, methods: [standard, sam], seeds: 1 }' >smoke.yaml
small() {
  case "$1 ${2:-}" in
    "train my-photos") polder "$@" --threads 1 --epochs 1 --batch 4 ;;
    train*) polder "$@" --threads 1 --batch 32 -s steps=2 -s data.images=64 -s data.evaluateOn=validation -s data.validation=32 ;;
    "study smoke")
      shift 2
      polder study smoke.yaml "$@" --threads 1 -s steps=1 -s data.images=64
      ;;
    *) polder "$@" ;;
  esac
}
commands=0
sed -n '/^```sh$/,/^```$/p' "$programs"/polder-*/docs/ways-in.md | grep '^polder ' >ways-in
while read -r command arguments; do
  commands=$((commands + 1))
  eval "small $arguments" >out 2>err </dev/null || { cat out err >&2; fail "not so: $command $arguments"; }
done <ways-in
[ "$commands" -ge 12 ] || fail "docs/ways-in.md has $commands commands"
for file in runs/pets/report.html pets.safetensors tuned.ts studies/smoke/report.html runs/two/run.json; do
  [ -s "$file" ] || fail "no $file"
done
grep -q '"confusion"' out || fail "no evaluation"
polder evaluate runs/pets --on test | grep -q '^red  *1 ' || fail "no errors by class"
polder predict runs/tuned photos/red/1.png | grep -q '^photos/red/1.png: ' || fail "no prediction"
if polder predict runs/pets photos/red/1.png gone.png >/dev/null 2>&1; then fail "a picture that is not there is no failure"; fi

cd "$programs"/polder-*/
for jar in lib/*.jar; do
  name=$(basename "$jar" | sed 's/-[0-9].*//')
  grep -q "\"name\" : \"$name\"" bom.json || fail "bom.json says nothing of $jar"
  case $name in
    polder-*) ;;
    *) grep -q "\`$name-\*\`" licences/THIRD-PARTY.md || fail "licences/THIRD-PARTY.md says nothing of $jar" ;;
  esac
done
for file in LICENSE NOTICE bom.json bin/polder.cmd share/man/man1/polder.1 share/man/man1/polder-train.1 share/bash-completion/completions/polder \
  share/zsh/site-functions/_polder share/fish/vendor_completions.d/polder.fish; do
  [ -s "$file" ] || fail "no $file"
done
bash -n share/bash-completion/completions/polder || fail "the completion is no bash"
tar -tzf "$archive" | grep -v '/$' | sort >"$place/in-tar"
"$java/bin/jar" -tf "${archive%.tar.gz}.zip" | grep -v '/$' | sort >"$place/in-zip"
cmp "$place/in-tar" "$place/in-zip" || fail "the zip has other files"
echo "the package works: $(du -sh lib | cut -f 1) of jars"
