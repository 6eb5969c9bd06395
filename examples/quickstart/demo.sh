#!/usr/bin/env bash
# Takes a small fleet from nothing through an upgrade: demo.sh [--portico PROGRAM] [--keep DIR]
# Everything happens in one folder: temporary, or DIR, which is then kept.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
portico=portico work='' keep=''
while (($#)); do
  case $1 in
    --portico) portico=$(realpath "${2:?--portico needs a program}") ;;
    --keep) work=${2:?--keep needs a folder} keep=yes ;;
    *)
      echo "usage: demo.sh [--portico PROGRAM] [--keep DIR]" >&2
      exit 2
      ;;
  esac
  shift 2
done
if [[ -n $work ]]; then
  mkdir -p "$work"
  work=$(cd "$work" && pwd)
  [[ -z $(ls -A "$work") ]] || { echo "demo.sh: $work is not empty" >&2; exit 2; }
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

bold='' dim='' plain=''
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1;36m' dim=$'\e[2m' plain=$'\e[0m'
fi
step() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }
run() {
  printf '%s$ portico %s%s\n' "$dim" "$*" "$plain"
  "$portico" "$@"
}
fail() {
  echo "demo.sh: $*" >&2
  exit 1
}

# Ignores the machine's git configuration, and sets an author for commits.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.com
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
unset PORTICO_STATE

# make_repository NAME FILES...: a bare repository whose branch main holds the files.
make_repository() {
  local name=$1 seed=$work/.seed
  shift
  rm -rf "$seed"
  git init --quiet --initial-branch main "$seed"
  cp -r "$@" "$seed"
  git -C "$seed" add --all
  git -C "$seed" commit --quiet --message "Begin $name"
  [[ ! -d $seed/web ]] || git -C "$seed" tag web/v1
  git clone --quiet --bare "$seed" "$work/$name.git"
  rm -rf "$seed"
}

# edit REVISION WORKSPACE SED FILE: a new revision of the package with one file changed, published.
edit() {
  local draft=${1%.*}.$2 folder=$work/$2
  run rpkg copy "$1" --workspace "$2"
  run rpkg pull "$draft" "$folder"
  printf '%s$ sed -i "%s" %s%s\n' "$dim" "$3" "$4" "$plain"
  sed -i "$3" "$folder/$4"
  run rpkg push "$draft" "$folder"
  run rpkg propose "$draft"
  run rpkg approve "$draft" --wait
}

step "Git repositories: one for blueprints, one for each of four clusters"
cd "$work"
echo "What this cluster runs. Changes are made through proposals." >README.md
make_repository blueprints "$here/blueprints/web"
for cluster in cluster-1 cluster-2 cluster-3 cluster-4; do
  make_repository "$cluster" README.md
done
run init
run repo register blueprints.git
run repo register cluster-1.git --deployment --label env=prod --label region=east
run repo register cluster-2.git --deployment --label env=prod --label region=east
run repo register cluster-3.git --deployment --label env=prod --label region=west
run repo register cluster-4.git --deployment --label env=test --label region=west

step "What the PackageVariantSet would do"
run plan -f "$here/fleet" --no-diff

step "Apply it: a draft for each production cluster"
run apply -f "$here/fleet" --wait
run tree web
run rpkg diff cluster-1.web.packagevariant-1 upstream

step "Propose all, approve the east first, then the west"
run rpkg propose --set web
run rpkg approve -l region=east --wait
run status
run rpkg approve --set web --wait
run tree web

step "The team of cluster-1 edits its package"
edit cluster-1.web.packagevariant-1 debug 's/log-level: info/log-level: debug/' config.yaml

step "A new revision of the blueprint: every variant gets a draft"
edit blueprints.web.v1 v2 's/web:1.4.0/web:1.5.0/' deployment.yaml
run tree web
run explain web-cluster-1-web

step "What the upgrade changes in cluster-1: the image, and the edit stays"
upgrade=$("$portico" rpkg get --repository cluster-1 --lifecycle Draft -o name)
upgrade=${upgrade##*/}
[[ -n $upgrade ]] || fail "cluster-1 has no draft of the upgrade"
run rpkg diff "$upgrade"
run rpkg propose --set web
run rpkg approve --set web --wait
run status

step "What the agent of cluster-1 sees"
git -C cluster-1.git log --format='%h %an: %s' main
for cluster in cluster-1 cluster-2 cluster-3; do
  git -C "$cluster.git" show main:web/deployment.yaml | grep -q 'web:1.5.0' ||
    fail "$cluster was not upgraded"
done
git -C cluster-1.git show main:web/config.yaml | grep -q 'log-level: debug' ||
  fail "the edit of cluster-1 was lost"
git -C cluster-3.git show main:web/config.yaml | grep -q 'host: web.west.example.com' ||
  fail "cluster-3 does not have the settings of its region"
[[ -z $(git -C cluster-4.git ls-tree main web) ]] || fail "cluster-4 is not a production cluster, but has the package"

step "The same fleet through the Kubernetes API"
exec 3< <(exec "$portico" serve --listen 127.0.0.1:0)
server=$!
stop_server() { kill "$server" 2>/dev/null || true; }
trap 'stop_server; [[ -n $keep ]] || rm -rf "$work"' EXIT
printf '%s$ portico serve --listen 127.0.0.1:0%s\n' "$dim" "$plain"
while IFS= read -r -u 3 line; do
  echo "$line"
  [[ $line != *"Kubernetes API at"* ]] || { served=yes; break; }
done
[[ -n ${served:-} ]] || fail "portico serve ended"
export KUBECONFIG=$work/.portico/admin.kubeconfig
if command -v kubectl >/dev/null; then
  printf '%s$ kubectl get packagevariants%s\n' "$dim" "$plain"
  seen=$(kubectl get packagevariants)
  echo "$seen"
  grep -q web-cluster-3-web <<<"$seen" || fail "kubectl does not see the variants"
else
  echo "(kubectl is not installed: with it, kubectl get packagevariants shows the variants)"
fi
stop_server
cat <&3

step "Done: three clusters run the new image, cluster-1 with its own log level"
