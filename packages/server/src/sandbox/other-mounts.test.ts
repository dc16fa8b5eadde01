import { expect, test } from 'vitest'
import { seenElsewhere } from './other-mounts.ts'

const mounts = `21 1 8:1 / / rw - ext4 /dev/sda1 rw
22 21 8:2 / /home rw - ext4 /dev/sda2 rw
23 21 8:2 /ada /srv/my\\040alias rw - ext4 /dev/sda2 rw
24 21 8:1 /srv/work /mnt/work rw - ext4 /dev/sda1 rw
25 21 8:2 / /mnt/all rw - ext4 /dev/sda2 rw
26 25 0:9 / /mnt/all/ada/.x rw - tmpfs tmpfs rw`

test.each([
  ['/home/ada/.claude.json', ['/srv/my alias/.claude.json', '/mnt/all/ada/.claude.json']],
  ['/home/ada', ['/srv/my alias', '/mnt/all/ada']],
  ['/home/bob/.ssh', ['/mnt/all/bob/.ssh']],
  // Something else is mounted over it there.
  ['/home/ada/.x/data', ['/srv/my alias/.x/data']],
  ['/srv/work/a', ['/mnt/work/a']],
  ['/srv/workshop', []],
  ['/etc/passwd', []],
])('SH-14: %s is seen elsewhere at %j', (path, others) => {
  expect(seenElsewhere([path], mounts)).toEqual(others)
})

test('SH-14: what is no Linux has no second mounts', () => {
  expect(seenElsewhere(['/home/ada'], '')).toEqual([])
})
