import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, writes } from './shape.ts'

/** The machine: looking at it is reading, setting anything is not. */
export const system: readonly ProgramEntry[] = [
  reads('uname', {
    options: {
      flag:
        '-a --all -s --kernel-name -n --nodename -r --kernel-release -v --kernel-version -m ' +
        '--machine -p --processor -i --hardware-platform -o --operating-system',
    },
  }),
  reads('nproc', { options: { flag: '--all --ignore:' } }),
  reads('whoami'),
  reads('groups id', {
    options: { flag: '-a -Z -g --group -G --groups -n --name -r --real -u --user -z --zero' },
  }),
  reads('uptime', { options: { flag: '-p --pretty -s --since' } }),
  reads('free', {
    options: {
      flag:
        '-b --bytes --kilo --mega --giga -k --kibi -m --mebi -g --gibi -h --human --si -l ' +
        '--lohi -t --total -v -s: --seconds: -c: --count: -w --wide',
    },
  }),
  reads('date gdate', {
    changeOperand: '^[^+]',
    options: {
      change: '-s: --set:',
      flag:
        '-d: --date: -f: --file: -r: --reference: -I? --iso-8601? -R -u --utc --universal ' +
        '--rfc-3339: --rfc-email --resolution --debug',
    },
  }),
  reads('hostname', {
    changeOperand: '.',
    options: {
      change: '-b -F: --file:',
      // What asks for the name of the network looks it up there.
      flag: '-i -I -s --ip-address --all-ip-addresses --short',
    },
  }),
  reads('locale', { options: { flag: '-a --all-locales -m --charmaps -c -k -v --verbose' } }),
  reads('getconf', { options: { flag: '-a' } }),
  // A name may be looked up in the network.
  reads('getent', {
    reach: 'network',
    addressed: true,
    // The name of a service is the name of a library.
    options: { load: '-s: --service:', flag: '-A -i' },
  }),
  reads('lscpu', { options: { flag: '-a -b -B -C? -c -J --json -e? -p? -x -y --extended?' } }),
  reads('lsblk', {
    reach: 'machine',
    options: { flag: '-a -b -d -f --fs -J --json -l -m -n -o: --output: -p -P -r -S -t -x:' },
  }),
  reads('lsb_release', { options: { flag: '-a -i -d -r -c -s --all --short' } }),
  reads('sw_vers', { style: 'single', options: { flag: '-productName -productVersion' } }),
  reads('printenv', { reader: 'printenv', reach: 'environment', options: { flag: '-0 --null' } }),
  reads('ps', { reader: 'ps', reach: 'processes' }),
  // Without -b it takes commands from the terminal, one of which ends processes.
  passes('top', {
    reach: 'processes',
    options: { quiet: '-b', flag: '-n: -d: -p: -u: -o: -w? -c -H -i -1 -S -E: -e:' },
  }),
  passes('tput', {
    options: { flag: '-T:' },
    // `tput init` may run a program that the description of the terminal names.
    sub: all(
      'cols lines colors bold dim rev sgr0 setaf setab op smul rmul smso rmso el el1 ed clear ' +
        'cup sc rc civis cnorm smcup rmcup longname',
      'read',
    ),
  }),
  reads('pgrep', {
    reach: 'processes',
    options: {
      flag:
        '-d: --delimiter: -l --list-name -a --list-full -v --inverse -c --count -f --full -g: ' +
        '-G: -i --ignore-case -n --newest -o --oldest -P: --parent: -s: -t: -u: -U: -x --exact',
    },
  }),
  reads('pidof', { reach: 'processes', options: { flag: '-s -c -q -w -x -o:' } }),
  reads('pstree', { reach: 'processes', options: { flag: '-a -A -c -h -l -n -p -s -t -T -u -U' } }),
  reads('lsof', {
    reach: 'processes',
    options: {
      flag: '-i? -n -P -p: -u: -c: -t -a -l -d: -s? -r? +D: -b -w -U -R',
    },
  }),
  reads('ss', {
    reach: 'machine',
    options: {
      change: '-K --kill',
      writeTo: '-D: --diag:',
      flag:
        '-n --numeric -r --resolve -a --all -l --listening -o --options -e --extended -m ' +
        '--memory -p --processes -T --threads -i --info -s --summary -4 --ipv4 -6 --ipv6 -0 ' +
        '--packet -t --tcp -S --sctp -u --udp -d --dccp -w --raw -x --unix -f: --family: -H ' +
        '--no-header -O --oneline -A: --query:',
    },
  }),
  reads('netstat', {
    reach: 'machine',
    options: { flag: '-a -n -t -u -l -p -r -i -s -e -W -4 -6' },
  }),
  reads('who w last', { reach: 'machine', options: { flag: '-a -b -H -m -q -r -s -u -n: -i -F' } }),
  reads('dmesg', {
    reach: 'machine',
    options: {
      change: '-C --clear -c --read-clear -D -E -n: --console-level:',
      flag: '-T --ctime -H --human -k -l: --level: -f: --facility: -t -u -x -w --since: --until:',
    },
  }),
  reads('journalctl', {
    reach: 'machine',
    options: {
      change:
        '--rotate --vacuum-size: --vacuum-time: --vacuum-files: --flush --sync --setup-keys ' +
        '--relinquish-var --smart-relinquish-var: --update-catalog',
      writeTo: '--cursor-file:',
      flag:
        '-u: --unit: --user-unit: -n: --lines: -f --follow -r --reverse -o: --output: -p: ' +
        '--priority: -b? --boot? -k --dmesg -S: --since: -U: --until: -g: --grep: -x -e ' +
        '--no-pager -q --quiet -t: --identifier: --user --system --list-boots --disk-usage -a -l',
    },
  }),
  changes('domainname', 'does_sets_host_name', { bare: 'read' }),
  changes(
    'hostnamectl timedatectl localectl loginctl networkctl resolvectl',
    'does_changes_machine',
    { bare: 'read', reach: 'machine', sub: all('status list-timezones list-sessions', 'read') },
  ),
  reads('sysctl', {
    changeOperand: '=',
    reach: 'machine',
    options: { change: '-w --write -p --load --system -f', flag: '-n --values -a --all -e -N' },
  }),
  changes('crontab', 'does_changes_crontab', {
    reach: 'machine',
    options: { quiet: '-l', flag: '-u:' },
  }),
  changes('at batch', 'does_schedules_work', { background: true }),
  reads('atq', { reach: 'machine' }),
  changes('atrm', 'does_changes_scheduled_work'),
  changes('systemctl', 'does_changes_services', {
    bare: 'read',
    reach: 'machine',
    options: { flag: '-p: -t: --type: --state: -n: -o: --user --system --no-pager -l -a --all -q' },
    sub: {
      ...all('status show cat list-units list-unit-files list-timers list-sockets', 'read', {
        options: { flag: '-p: --property: -n: --lines: --no-pager -l --full -a --all --type:' },
      }),
      ...all('list-jobs list-dependencies is-active is-enabled is-failed', 'read'),
      ...all('is-system-running get-default', 'read'),
      ...all('show-environment', 'read', { environment: true }),
    },
  }),
  changes('service rc-service', 'does_changes_services', { options: { quiet: '--status-all' } }),
  changes('launchctl', 'does_changes_services', {
    sub: { ...all('list print', 'read'), getenv: { does: 'read', environment: true } },
  }),
  changes(
    'init telinit shutdown reboot halt poweroff swapon swapoff hwclock',
    'does_changes_machine',
  ),
  changes('mount', 'does_mounts_file_systems', { bare: 'read', options: { flag: '-l' } }),
  reads('findmnt', { options: { flag: '-l -J -t: -o: -n -r -T: -S: -a -D' } }),
  changes(
    'umount modprobe insmod rmmod depmod update-grub update-initramfs',
    'does_changes_machine',
  ),
  changes('iptables ip6tables arptables ebtables nft ufw firewall-cmd', 'does_changes_firewall'),
  changes('iptables-restore ip6tables-restore ipset', 'does_changes_firewall'),
  changes('ip', 'does_changes_network', {
    reach: 'machine',
    options: { flag: '-d -s -o -j -p -br -4 -6 -brief -json -c' },
    sub: all('a addr address l link r route n neigh rule', 'change', {
      bare: 'read',
      sub: all('show list ls', 'read'),
    }),
  }),
  reads('ifconfig', { changeOperand: '.', reach: 'machine', options: { flag: '-a -s' } }),
  changes('route arp ethtool tc brctl wg wg-quick nmcli iwconfig', 'does_changes_network'),
  changes(
    'useradd userdel usermod groupadd groupdel groupmod passwd chpasswd chsh',
    'does_changes_users',
  ),
  changes('chfn adduser deluser visudo vipw vigr gpasswd newgrp', 'does_changes_users'),
  writes('updatedb ldconfig makewhatis mandb', 'does_rewrites_database'),
  writes('tcpdump tshark dumpcap', 'does_writes_files'),
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
  changes('logrotate', 'does_changes_files'),
  changes('update-alternatives', 'does_changes_machine'),
  changes('xdg-open open start', 'does_opens_another_program'),
  changes('pbcopy wl-copy xclip xsel', 'does_changes_clipboard'),
]
