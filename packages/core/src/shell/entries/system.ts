import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, writes } from './shape.ts'

const list = { options: { quiet: '-l --list' } }

/** The machine: looking at it is reading, setting anything is not. */
export const system: readonly ProgramEntry[] = [
  reads('uname arch nproc uptime who w last lastlog users groups id whoami logname free vmstat'),
  reads('iostat mpstat sar lscpu lsblk lsusb lspci lsmod lshw lsns lsipc lslocks findmnt blkid'),
  reads('pgrep pidof pstree pmap pwdx top htop atop getent getconf locale'),
  reads('ss netstat lastcomm dmidecode sensors acpi ping ping6 traceroute tracepath mtr dig host'),
  reads('nslookup whois hostid runlevel cpuid lsb_release sw_vers system_profiler'),
  reads('ps', { reader: 'ps' }),
  reads('printenv', { reader: 'printenv' }),
  reads('date gdate', {
    changeOperand: '^[^+]',
    options: {
      change: '-s: --set:',
      flag:
        '-d: --date: -f: --file: -r: --reference: -I? --iso-8601? -R -u --utc ' +
        '--rfc-3339: --rfc-email --resolution --debug',
    },
  }),
  reads('dmesg', { options: { change: '-C --clear -c --read-clear -D -E -n: --console-level:' } }),
  reads('journalctl', {
    options: {
      change: '--rotate --vacuum-size: --vacuum-time: --vacuum-files: --flush --sync --setup-keys',
      writeTo: '--cursor-file:',
    },
  }),
  changes('hostname domainname', 'does_sets_host_name', {
    bare: 'read',
    options: {
      quiet: '-f -i -I -s -d -A -y --fqdn --ip-address --all-ip-addresses --short --domain',
    },
  }),
  changes(
    'hostnamectl timedatectl localectl loginctl networkctl resolvectl',
    'does_changes_machine',
    {
      bare: 'read',
      sub: all(
        'status show list-timezones timesync-status list-sessions list list-locales query',
        'read',
      ),
    },
  ),
  reads('sysctl', {
    changeOperand: '=',
    options: { change: '-w --write -p --load --system -f' },
  }),
  changes('crontab', 'does_changes_crontab', { options: { quiet: '-l', flag: '-u:' } }),
  changes('at batch', 'does_schedules_work', { background: true, options: { quiet: '-l -c' } }),
  reads('atq'),
  changes('atrm', 'does_changes_scheduled_work'),
  changes('systemctl', 'does_changes_services', {
    bare: 'read',
    options: {
      flag: '-H: --host: -M: -p: -t: --type: --state: -n: -o: --user --system --no-pager',
    },
    sub: {
      ...all('status show cat help list-units list-unit-files list-timers list-sockets', 'read'),
      ...all('list-jobs list-dependencies list-machines is-active is-enabled is-failed', 'read'),
      ...all('is-system-running get-default', 'read'),
      ...all('show-environment', 'read', { environment: true }),
    },
  }),
  changes('service rc-service', 'does_changes_services', {
    readOperand: '^(?:status|--status-all)$',
    options: { quiet: '--status-all' },
  }),
  changes('launchctl', 'does_changes_services', {
    sub: { ...all('list print', 'read'), getenv: { does: 'read', environment: true } },
  }),
  changes(
    'init telinit shutdown reboot halt poweroff swapon swapoff hwclock',
    'does_changes_machine',
    {
      options: { quiet: '--show -s -r' },
    },
  ),
  changes('mount', 'does_mounts_file_systems', { bare: 'read', ...list }),
  changes(
    'umount modprobe insmod rmmod depmod update-grub update-initramfs',
    'does_changes_machine',
  ),
  changes('iptables ip6tables arptables ebtables', 'does_changes_firewall', {
    options: { quiet: '-L --list -S --list-rules' },
  }),
  reads('iptables-save ip6tables-save', { options: { writeTo: '-f: --file:' } }),
  changes('iptables-restore ip6tables-restore ipset', 'does_changes_firewall'),
  changes('nft ufw firewall-cmd', 'does_changes_firewall', {
    readOperand: '^(?:list|status|show)$',
    options: { quiet: '--list-all --state --get-default-zone --list-ports --list-services' },
  }),
  reads('ip', {
    changeOperand:
      '^(?:add?|del(?:ete?)?|set?|fl(?:ush)?|repl?(?:ace)?|chg|change?|append|exec|up|down)$',
    options: { change: '-b: -batch: -force', flag: '-n: -f: -c? -d -s -o -j -p -br -4 -6' },
  }),
  reads('ifconfig iwconfig', {
    changeOperand: '^(?:up|down|add|del|netmask|hw|mtu|-?arp|\\d+\\..*)$',
  }),
  reads('route arp', {
    changeOperand: '^(?:add|del|delete|change|flush)$',
    options: { change: '-s -d -f', flag: '-i: -n -a -v' },
  }),
  changes('ethtool tc brctl wg wg-quick nmcli', 'does_changes_network', {
    readOperand: '^(?:show|status|list|device|general|-i|-k|-S)$',
  }),
  changes(
    'useradd userdel usermod groupadd groupdel groupmod passwd chpasswd chsh',
    'does_changes_users',
    {
      options: { quiet: '-S --status' },
    },
  ),
  changes('chfn adduser deluser visudo vipw vigr gpasswd newgrp', 'does_changes_users'),
  writes('updatedb ldconfig makewhatis mandb', 'does_rewrites_database', {
    options: { quiet: '-p' },
  }),
  reads('tcpdump tshark dumpcap', {
    options: {
      writeTo: '-w:',
      run: '-z:',
      flag: '-c: -i: -n -r: -s: -F: -C: -G: -W: -B: -f: -Y: -T: -e:',
    },
  }),
  changes('defaults', 'does_changes_preferences', {
    sub: all('read read-type domains find', 'read'),
  }),
  changes('logger wall write mesg notify-send', 'does_sends_message'),
  changes(
    'kexec sysrq fsck tune2fs resize2fs mdadm lvcreate lvremove vgcreate cryptsetup',
    'does_changes_disks',
  ),
  changes('setenforce eject rfkill', 'does_changes_machine'),
  passes('kill pkill killall skill xkill renice'),
  reads('logrotate', { options: { change: '-f --force' } }),
  reads('update-alternatives', {
    options: { change: '--install --set --remove --config --auto' },
  }),
  changes('xdg-open open start', 'does_opens_another_program'),
  reads('xclip xsel pbpaste', { options: { change: '-i --input' } }),
  changes('pbcopy wl-copy', 'does_changes_clipboard'),
]
