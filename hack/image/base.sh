#!/usr/bin/env bash
# Writes the base of the image: the few Debian packages that Node needs, without their scripts, a shell or a package manager. Usage: base.sh FOLDER
# Needs root, mmdebstrap and apt sources of the suite.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: base.sh FOLDER" >&2; exit 2; }
suite=${DEBIAN_SUITE:-bookworm}
sources=${DEBIAN_SOURCES:-/etc/apt/sources.list.d/debian.sources}
mkdir -p "$1"
tree=$(cd "$1" && pwd)

mmdebstrap --quiet --variant=extract --include=base-files,libc6,libgcc-s1,libstdc++6,netbase --skip=cleanup/apt,cleanup/tmp \
  "$suite" "$tree" "$sources"

cd "$tree"
# Only scripts of base-files need it.
rm -rf var/cache/apt/archives/mawk_* usr/{bin,share/doc}/mawk
# Scanners read the versions of packages from here, as in other images without dpkg.
mkdir -p var/lib/dpkg/status.d
for package in var/cache/apt/archives/*.deb; do
  dpkg-deb --field "$package" > "var/lib/dpkg/status.d/$(dpkg-deb --field "$package" Package)"
done
find usr/share/doc -type f ! -name copyright -delete
rm -rf usr/share/{base-files,bug,dict,doc-base,gcc,gdb,info,lintian,locale,man} usr/{games,include,local,src} usr/lib/*/{audit,gconv}
rm -rf etc/{apt,dpkg,fstab,hostname,issue,issue.net,profile.d,resolv.conf,skel,update-motd.d}
rm -rf boot home {dev,run,tmp}/* var/cache/* var/{backups,local,lock,log,spool,tmp} var/lib/apt var/lib/dpkg/{arch,status}
find . -xtype l -path './usr/share/doc/*' -delete
printf 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/var/lib/sealwright:/sbin/nologin\n' > etc/passwd
printf 'root:x:0:\nnonroot:x:65532:\n' > etc/group
# Without it glibc asks the name server before it reads /etc/hosts.
printf 'hosts: files dns\n' > etc/nsswitch.conf
install -d -m 1777 tmp
