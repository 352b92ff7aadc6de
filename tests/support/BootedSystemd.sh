#!/bin/sh
# Boots a real systemd as PID 1 of new namespaces (mount, pid, cgroup, uts, ipc, net). It has its own units and
# private copies of every directory that systemd or a service writes, so the host stays unchanged.
# Usage: BootedSystemd.sh REPOSITORY CGROUP MOUNTPOINT [DISK]
#   REPOSITORY is mounted at MOUNTPOINT, read-only.
#   DISK: directory whose content survives a boot. Without it the private copies are in memory and end with the boot.
#        BootedSystemd.sh inside REPOSITORY MOUNTPOINT [DISK]    (second part, runs inside the namespaces)
set -eu

if [ "$1" != inside ]; then
  # The caller's cgroup becomes the root of the new cgroup namespace, so that systemd manages only below it.
  echo 0 > "$2/cgroup.procs"
  exec unshare --fork --pid --mount --cgroup --uts --ipc --net --kill-child=KILL --propagation private -- \
    "$0" inside "$1" "$3" ${4:+"$4"}
fi

# The following commands mount over directories and delete files. They must run only as PID 1 of the new namespaces.
[ $$ -eq 1 ] || { echo "not within namespaces" >&2; exit 1; }
repository=$2
mountpoint=$3
disk=${4:-}
mount -t proc -o nosuid,nodev,noexec proc /proc

# Saves the repository, the disk and the host's directories first, because they may lie below a directory that is
# mounted over.
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/hold/repository /run/hold/etc
mount --bind "$repository" /run/hold/repository
mount --bind /etc /run/hold/etc
boot=first
if [ -n "$disk" ]; then
  mkdir /run/hold/disk /run/hold/lib /run/hold/spool
  mount --bind "$disk" /run/hold/disk
  mount --bind /var/lib /run/hold/lib
  mount --bind /var/spool /run/hold/spool
  [ ! -e "$disk/booted" ] || boot=again
fi

private="/etc /opt /var/lib /var/log /var/cache"
if [ -n "$disk" ]; then
  for directory in $private /var/spool /var/mail; do
    mkdir -p "/run/hold/disk$directory"
    mount --bind "/run/hold/disk$directory" "$directory"
  done
else
  for directory in $private; do mount -t tmpfs -o mode=755 tmpfs "$directory"; done
fi
for directory in /tmp /var/tmp /dev/shm; do
  mkdir -p "$directory"
  mount -t tmpfs -o mode=1777 tmpfs "$directory"
done
if [ $boot = first ]; then
  cp -a /run/hold/etc/. /etc/
  if [ -n "$disk" ]; then
    # The state of the installed packages.
    for name in dovecot nginx pam postfix rspamd ucf; do
      [ ! -e "/run/hold/lib/$name" ] || cp -a "/run/hold/lib/$name" /var/lib/
    done
    cp -a /run/hold/spool/. /var/spool/
    touch /run/hold/disk/booted
  fi
  : > /etc/machine-id
fi
umount /run/hold/etc
if [ -n "$disk" ]; then
  # Only read, so that a program can ask which packages are installed.
  mkdir -p /var/lib/dpkg
  mount --bind /run/hold/lib/dpkg /var/lib/dpkg
  mount -o remount,bind,ro /var/lib/dpkg
  umount /run/hold/lib /run/hold/spool
fi
mkdir -p "$mountpoint"
mount --move /run/hold/repository "$mountpoint"
mount -o remount,bind,ro "$mountpoint"

# Mounts only cgroup version 2, rooted at our own cgroup. Version 1 controllers of a hybrid host stay outside.
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs /sys
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 /sys/fs/cgroup

# Own units, because the host's sysinit.target would start tmpfiles, udev and other enabled units.
units=/etc/systemd/system
if [ $boot = first ]; then
  rm -rf /etc/systemd
  mkdir -p "$units" /etc/systemd/journald.conf.d
  for target in sysinit basic sockets shutdown multi-user network network-online; do
    printf '[Unit]\nDescription=%s of the test\nDefaultDependencies=no\n' "$target" > "$units/$target.target"
  done
  printf '[Unit]\nDescription=The booted test system\nRequires=basic.target systemd-journald.service\nWants=multi-user.target\nAfter=basic.target systemd-journald.service\nAllowIsolate=yes\n' > "$units/booted.target"
  printf '[Unit]\nDefaultDependencies=no\n[Socket]\nListenStream=/run/systemd/journal/stdout\nListenDatagram=/run/systemd/journal/socket\nSocketMode=0666\nPassCredentials=yes\nReceiveBuffer=8M\nService=systemd-journald.service\n' > "$units/systemd-journald.socket"
  printf '[Unit]\nDefaultDependencies=no\nRequires=systemd-journald.socket\nAfter=systemd-journald.socket\n[Service]\nType=notify\nExecStart=/lib/systemd/systemd-journald\nSockets=systemd-journald.socket\nStandardOutput=null\nRestart=always\nOOMScoreAdjust=-250\n' > "$units/systemd-journald.service"
  printf '[Journal]\nStorage=volatile\nReadKMsg=no\nAudit=no\nForwardToConsole=no\nRateLimitIntervalSec=0\n' > /etc/systemd/journald.conf.d/test.conf
fi

# `container` tells systemd not to touch the console, the clock, kernel settings and the API file systems.
exec env -i container=signalbox-test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  SYSTEMD_UNIT_PATH=$units SYSTEMD_GENERATOR_PATH=/nonexistent SYSTEMD_ENVIRONMENT_GENERATOR_PATH=/nonexistent \
  /lib/systemd/systemd --system --unit=booted.target --log-target=journal --show-status=false
