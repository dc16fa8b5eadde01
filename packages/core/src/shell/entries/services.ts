import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, writes } from './shape.ts'

const inside = {
  does: 'run' as const,
  style: 'posix' as const,
  wraps: { skip: 1 },
  options: {
    variable: '-e: --env:',
    flag: '-u: --user: -w: --workdir: --env-file: -i -t -d --detach-keys: --index: -T',
  },
}
const compose = {
  does: 'change' as const,
  options: { flag: '-f: --file: -p: --project-name: --profile: --env-file: --project-directory:' },
  sub: {
    ...all('ps logs images top ls version port events stats volumes', 'read'),
    config: { does: 'read' as const, options: { writeTo: '-o: --output:' }, environment: true },
    exec: inside,
  },
}
const sqlOptions = {
  writeAlso: '-o: --output: -L: --log-file: --tee: -r: --result-file: --tab: -T:',
  load: '-f: --file:',
  flag:
    '-h: --host: -p? --port: -U: --username: -d: --dbname: -u: --user: -P: -v: ' +
    '--set: -F: -D: --database: -S: --socket: -A -t -q -x -X -w -W -N -B -s',
}

const kubectlVerbs =
  'apply create delete run label annotate scale set patch replace expose autoscale taint ' +
  'drain cordon uncordon'

/** Containers, clusters, clouds and databases. */
export const services: readonly ProgramEntry[] = [
  changes('docker podman nerdctl', 'does_changes_containers', {
    bare: 'read',
    options: { flag: '-H: --host: -c: --context: --config: -l: --log-level:' },
    sub: {
      ...all(
        'ps images logs inspect version info stats top port diff history events search',
        'read',
      ),
      'run create': { does: 'change', style: 'posix', options: { variable: '-e: --env:' } },
      exec: inside,
      compose,
      container: {
        does: 'change',
        sub: { ...all('ls list ps inspect logs top stats port diff', 'read'), exec: inside },
      },
      ...all('image', 'change', { sub: all('ls list inspect history', 'read') }),
      ...all('volume network config secret node service stack plugin', 'change', {
        sub: all('ls list inspect ps logs', 'read'),
      }),
      system: { does: 'change', sub: all('df info events', 'read') },
      context: { does: 'change', sub: all('ls list show inspect', 'read') },
      manifest: { does: 'change', sub: all('inspect', 'read') },
      buildx: { does: 'change', sub: all('ls inspect du version', 'read') },
    },
  }),
  { names: 'docker-compose podman-compose', why: phrase('does_changes_containers'), ...compose },
  changes('kubectl oc k', 'does_changes_cluster', {
    bare: 'read',
    options: {
      flag: '-n: --namespace: --context: --kubeconfig: --cluster: --user: -s: --server: --as:',
    },
    sub: {
      ...all('get describe logs top explain version api-resources api-versions events', 'read'),
      ...all('options wait', 'read'),
      'cluster-info': { does: 'read', options: { writeTo: '--output-directory:' } },
      diff: { does: 'read' },
      [kubectlVerbs]: { does: 'change', options: { quiet: '--dry-run?' } },
      auth: { does: 'change', sub: all('can-i whoami', 'read') },
      config: {
        does: 'change',
        sub: all('view get-contexts get-clusters get-users current-context', 'read'),
      },
      rollout: { does: 'change', sub: all('status history', 'read') },
      exec: { does: 'pass', wraps: { afterDashes: true } },
      'port-forward proxy': { does: 'pass', background: true },
      cp: { does: 'write', why: phrase('does_copies_files') },
    },
  }),
  changes('helm', 'does_changes_cluster', {
    bare: 'read',
    options: { flag: '-n: --namespace: --kube-context: --kubeconfig:' },
    sub: {
      ...all('list ls status history hist search lint version env verify', 'read'),
      template: { does: 'read', options: { writeTo: '--output-dir:', load: '--post-renderer:' } },
      ...all('get show inspect', 'read'),
      repo: { does: 'change', sub: all('list ls', 'read') },
      ...all('dependency dep', 'change', { sub: all('list ls', 'read') }),
      plugin: { does: 'change', sub: all('list ls', 'read') },
    },
  }),
  changes('aws', 'does_changes_cloud_saves_files', {
    options: { flag: '--profile: --region: --output: --query: --endpoint-url:', quiet: 'help' },
    reader: 'aws',
    changeOperand: '^(?:get-object|get-credentials)$',
    readOperand:
      '^(?:describe|list|get|ls|head|help|lookup|search|scan|query|filter|batch-get|' +
      'estimate|validate|tail|view)(?:-.*)?$',
  }),
  changes(
    'gcloud gsutil az doctl heroku flyctl fly netlify wrangler firebase',
    'does_changes_cloud',
    {
      bare: 'read',
      changeOperand: '^get-credentials$',
      readOperand:
        '^(?:list|list-.*|describe|info|show|get|get-.*|ls|cat|du|stat|status|logs|version|whoami|' +
        'config-list|apps|releases)$',
    },
  ),
  // Without a subcommand it deploys the folder it stands in.
  changes('vercel now', 'does_deploys', {
    readOperand: '^(?:list|ls|inspect|logs|whoami|help|teams|domains-ls)$',
    options: { quiet: '--version -v --help -h' },
  }),
  changes('serverless sls cdk pulumi vagrant packer amplify eb sam copilot', 'does_changes_cloud', {
    readOperand:
      '^(?:list|ls|synth|diff|status|info|global-status|validate|inspect|logs|print|preview|' +
      'version|docs|doctor|context|metadata|help)$',
  }),
  changes(
    'ansible ansible-playbook ansible-galaxy ansible-pull ansible-vault',
    'does_changes_machines',
    {
      options: {
        quiet: '--check -C --syntax-check --list-tasks --list-hosts --list-tags',
        flag: '-i: -l: -e: -m: -a: -u: -t:',
      },
      readOperand: '^(?:view|list)$',
    },
  ),
  changes('buildah skopeo kaniko img', 'does_changes_images', {
    sub: all('images containers inspect list-tags info version', 'read'),
  }),
  passes('psql', {
    reader: 'sql',
    options: {
      ...sqlOptions,
      quiet: '-l --list -V -?',
      flag: `${sqlOptions.flag} -c: --command:`,
    },
  }),
  passes('mysql mariadb', {
    reader: 'sql',
    options: { ...sqlOptions, flag: `${sqlOptions.flag} -e: --execute:` },
  }),
  passes('sqlite3 duckdb', {
    reader: 'sql',
    style: 'single',
    options: { flag: '-separator: -cmd: -c: -s: -newline: -nullvalue:', load: '-init: -f:' },
  }),
  reads('pg_dump pg_dumpall mysqldump mariadb-dump', {
    options: { writeTo: '-f: --file: -r: --result-file: --tab: -T:' },
  }),
  changes(
    'createdb dropdb createuser dropuser pg_restore pg_ctl initdb mysqladmin mysqlimport',
    'does_changes_data',
  ),
  changes('redis-cli valkey-cli', 'does_changes_data', {
    readOperand:
      '^(?:(?:m|h|hm|get|str|substr|z|s|l|x)?(?:get|getall|range|len|card|members|' +
      'mget|keys|scan|score|rank|count|ismember|index|exists)|GET|MGET|HGET|HGETALL|' +
      'KEYS|SCAN|INFO|TTL|PTTL|TYPE|EXISTS|LRANGE|LLEN|SMEMBERS|SCARD|ZRANGE|ZCARD|' +
      'STRLEN|DBSIZE|PING|info|ttl|type|exists|keys|scan|dbsize|ping|lrange|' +
      'smembers|hgetall|zrange)$',
    options: { flag: '-h: -p: -a: -n: -u: --pattern:', quiet: '--scan --bigkeys --stat --latency' },
  }),
  { names: 'mongosh mongo cqlsh clickhouse-client influx', does: 'opaque' },
  writes('mongodump mongoexport', 'does_writes_files'),
  changes('mongorestore mongoimport', 'does_changes_data'),
]
