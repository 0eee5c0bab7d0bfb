#!/usr/bin/env bash
# Builds a kind node image from Go modules and Debian packages alone; see README.md. Prints its name on the last line.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${SEALWRIGHT_CACHE_DIR:-$HOME/.cache/sealwright}
# The node's Debian is bookworm: its systemd still boots on cgroup v1.
sources=${DEBIAN_SOURCES:-/etc/apt/sources.list.d/debian.sources}
[ -s "$sources" ] || sources=/etc/apt/sources.list
tools=$here/../tools
mkdir -p "$cache/kind"
step() { printf '%(%H:%M:%S)T %s\n' -1 "$*" >&2; }

"$here/docker-up.sh" >&2

key=$(cd "$here" && cat node-image.sh netd.yaml ../tools/go.mod ../tools/build.sh ../tools/*/*.go | sha256sum | cut -c1-12)
version=$(cd "$tools" && go list -m -f '{{.Version}}' k8s.io/kubernetes)
image=sealwright/kind-node:$version-$key
if docker image inspect "$image" >/dev/null 2>&1 && [ -x "$cache/bin/kind" ] && [ -x "$cache/bin/kubectl" ]; then
  step "already built"
  echo "$image"
  exit 0
fi

work=$(mktemp -d "$cache/kind/work.XXXXXX")
builder=
cleanup() {
  [ -z "$builder" ] || docker rm -f -v "$builder" >/dev/null
  rm -rf "$work"
}
trap cleanup EXIT

# rootfs NAME PACKAGES: a Debian tree as a docker image, made once per package list.
rootfs_name() { echo "sealwright/$1:$(echo "bookworm $2" | sha256sum | cut -c1-12)"; }
rootfs() {
  local name file=$work/$1.tar
  name=$(rootfs_name "$1" "$2")
  docker image inspect "$name" >/dev/null 2>&1 && return
  mmdebstrap --quiet --variant=minbase --include="$2" \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    bookworm "$file" "$sources" >&2
  docker import "$file" "$name" >/dev/null
  rm -f "$file"
  step "Debian tree: $name"
}
net_packages=iptables,nftables,iproute2,conntrack,kmod
node_packages=systemd,systemd-sysv,conntrack,iptables,nftables,iproute2,ethtool,util-linux,mount,kmod,libseccomp2,pigz,e2fsprogs,bash,ca-certificates,curl,jq,procps,containerd,runc,containernetworking-plugins,socat
net=$(rootfs_name net-base "$net_packages")
base=$(rootfs_name node-base "$node_packages")
if ! command -v mmdebstrap >/dev/null; then
  apt-get update -q >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends mmdebstrap >&2
fi
(rootfs net-base "$net_packages" && rootfs node-base "$node_packages") &
trees=$!

step "Go binaries"
bin=$cache/bin
"$tools/build.sh" "$bin" kube-apiserver kube-controller-manager kube-scheduler kube-proxy kubelet kubeadm kubectl \
  etcd kind coredns local-path-provisioner netd pause crictl probe >&2
wait $trees

kind=$(cd "$tools" && go list -m -f '{{.Dir}}' sigs.k8s.io/kind)
nodeimage=$kind/pkg/build/nodeimage
constant() { sed -n "s/^const $1 = \"\(.*\)\"$/\1/p" "$nodeimage"/const_*.go; }
provisioner=$(constant storageProvisionerImage)
helper=$(constant storageHelperImage)

# image NAME BASE ENTRYPOINT BINARY...: one static image.
images=()
image() {
  local name=$1 from=$2 entrypoint=$3
  shift 3
  local dir=$work/image
  rm -rf "$dir"
  mkdir -p "$dir/tree/usr/local/bin" "$dir/tree/tmp"
  chmod 1777 "$dir/tree/tmp"
  for b in "$@"; do cp "$bin/$b" "$dir/tree/usr/local/bin/"; done
  printf 'FROM %s\nENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nCOPY tree /\nENTRYPOINT %s\n' \
    "$from" "$entrypoint" > "$dir/Dockerfile"
  DOCKER_BUILDKIT=0 docker build -q -t "$name" "$dir" >/dev/null 2>&1
  images+=("$name")
}

step "control-plane images"
kubeadm_image() { "$bin/kubeadm" config images list --kubernetes-version "$version" 2>/dev/null | grep "/$1:"; }
for c in kube-apiserver kube-controller-manager kube-scheduler; do
  image "$(kubeadm_image $c)" scratch '[]' $c
done
image "$(kubeadm_image kube-proxy)" "$net" '[]' kube-proxy
image "$(kubeadm_image etcd)" scratch '[]' etcd
image "$(kubeadm_image coredns)" scratch '["/usr/local/bin/coredns"]' coredns
pause=$(sed -n 's/.*sandbox_image = "\(.*\)"/\1/p' "$kind/images/base/files/etc/containerd/config.toml")
image "$pause" scratch '["/usr/local/bin/pause"]' pause
image sealwright/netd:1 "$net" '["/usr/local/bin/netd"]' netd
image "$provisioner" scratch '["/usr/local/bin/local-path-provisioner"]' local-path-provisioner
image "$helper" "$net" '[]'
docker save -o "$work/images.tar" "${images[@]}"

step "node image"
# kind's own files, changed where this machine and Debian's containerd need it.
cp -r "$kind/images/base/files" "$work/files"
chmod -R u+w "$work/files"
(
  cd "$work/files"
  chmod 755 usr/local/bin/* kind/bin/*
  # Without CAP_SYS_RESOURCE neither limits nor OOM scores can be raised.
  sed -i -e '/^Limit/d' -e '/^TasksMax/d' -e '/^OOMScoreAdjust/d' etc/systemd/system/containerd.service
  sed -i 's/restrict_oom_score_adj = false/restrict_oom_score_adj = true/' etc/containerd/config.toml
  mkdir -p kind/manifests usr/bin opt/cni etc/kubernetes/manifests
  printf %s "$version" > kind/version
  cp "$here/netd.yaml" kind/manifests/default-cni.yaml
  sed -n '/^const defaultStorageManifest = `/,/^`/p' "$nodeimage/const_storage.go" | sed -e '1d' -e '$d' \
    -e "s|\` + storageProvisionerImage + \`|$provisioner|" -e "s|\` + storageHelperImage + \`|$helper|" > kind/manifests/default-storage.yaml
  cp "$bin/kubelet" "$bin/kubeadm" "$bin/kubectl" usr/bin/
  cp "$bin/crictl" usr/local/bin/
)
cat > "$work/setup.sh" <<'SETUP'
set -e
find /lib/systemd/system/sysinit.target.wants/ -name systemd-tmpfiles-setup.service -delete
rm -f /lib/systemd/system/multi-user.target.wants/* /etc/systemd/system/*.wants/* /lib/systemd/system/local-fs.target.wants/* \
  /lib/systemd/system/sockets.target.wants/*udev* /lib/systemd/system/sockets.target.wants/*initctl* /lib/systemd/system/basic.target.wants/*
echo ReadKMsg=no >> /etc/systemd/journald.conf
systemctl enable kubelet.service containerd.service undo-mount-hacks.service
systemctl mask systemd-binfmt.service
mkdir -p /opt/cni
ln -sfn /usr/lib/cni /opt/cni/bin
ln -sf /usr/bin/containerd /usr/bin/ctr /usr/local/bin/
ctr oci spec | jq '.hooks.createContainer |= . + [{"path": "/kind/bin/mount-product-files.sh"}] | del(.process.rlimits)' > /etc/containerd/cri-base.json
rm -rf /var/lib/apt/lists/* /var/cache/apt/*
SETUP
printf 'FROM %s\nCOPY files /\nCOPY setup.sh /setup.sh\nRUN bash /setup.sh && rm /setup.sh\nENV container=docker\nSTOPSIGNAL SIGRTMIN+3\nENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]\n' "$base" > "$work/Dockerfile"
printf 'image\nimages.tar\n' > "$work/.dockerignore"
DOCKER_BUILDKIT=0 docker build -q -t sealwright/kind-node-bare "$work" >/dev/null 2>"$work/build.log" || { cat "$work/build.log" >&2; exit 1; }

step "preloading images"
builder=$(docker run -d --entrypoint sleep --security-opt seccomp=unconfined sealwright/kind-node-bare infinity)
docker exec -d "$builder" containerd
for _ in $(seq 30); do docker exec "$builder" ctr version >/dev/null 2>&1 && break; sleep 0.5; done
docker exec -i "$builder" ctr --namespace=k8s.io images import --all-platforms --no-unpack --digests - < "$work/images.tar" >/dev/null
docker exec "$builder" ctr --namespace=k8s.io images list -q | grep -v '@\|^sha256' >&2
docker exec "$builder" sh -c 'kill "$(pidof containerd)"; while pidof containerd >/dev/null; do sleep 0.1; done'
docker commit --change 'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]' "$builder" "$image" >/dev/null
step "built, $(( $(docker image inspect -f '{{.Size}}' "$image") / 1000000 )) MB"
echo "$image"
