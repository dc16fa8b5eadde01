import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, reads, writes } from './shape.ts'

const inside = {
  does: 'opaque' as const,
  style: 'posix' as const,
  wraps: { skip: 1 },
  options: {
    variable: '-e: --env:',
    flag: '-u: --user: -w: --workdir: --env-file: -i -t -d --detach-keys: --index: -T',
  },
}
const listed =
  '-a --all -q --quiet -f: --filter: --format: --no-trunc -n: --last: -l --latest -s --size ' +
  '--digests --tree --tail: --since: --until: -t --timestamps --details --follow --type:'
const shows = (names: string) => all(names, 'read', { options: { flag: listed } })

const compose = {
  does: 'change' as const,
  reach: 'machine' as const,
  options: { flag: '-f: --file: -p: --project-name: --profile: --env-file: --project-directory:' },
  sub: {
    // What a file of the project includes may be fetched first.
    ...all('ps logs images top ls version port events stats volumes', 'pass', {
      options: { flag: listed },
    }),
    config: {
      does: 'pass' as const,
      options: { writeTo: '-o: --output:', flag: '-q --quiet --services --volumes --images' },
      environment: true,
    },
    exec: inside,
  },
}

const kubectlFlags =
  '-n: --namespace: --context: --cluster: -o: --output: -A --all-namespaces ' +
  '-l: --selector: --field-selector: -w --watch --show-labels --sort-by: --no-headers -L: ' +
  '--label-columns: --show-kind --show-managed-fields --chunk-size: --ignore-not-found -R ' +
  '--recursive -f --follow --tail: --since: --since-time: --timestamps -c: --container: ' +
  '--all-containers --prefix -p --previous --max-log-requests: --client --short ' +
  '--api-group: --namespaced --verbs: --api-version: --for: --timeout: --containers ' +
  '--output-version: --show-events --request-timeout: --types:'
const kubectl = (names: string) => all(names, 'read', { options: { flag: kubectlFlags } })

/** A chart that is fetched, and kept in a cache. */
const fetchedChart = '^(?!\\.{0,2}/)[^/]+/|^\\w+://'

/** Words by which the command of a cloud shows that it changes something. */
const cloudChanges =
  '^(?:rm|rb|mb|cp|mv|sync|set|add|put|start|stop|restart|reset|import|apply|exec|ssh|scp|up|down|' +
  '(?:delete|create|update|remove|terminate|modify|attach|detach|put|set|add|deploy|destroy|' +
  'enable|disable|patch|edit|install|publish|push|cancel|reboot|invoke|send|upload|download|' +
  'purge|drop|run|scale)(?:[-:].*)?)$'

/** Clouds have thousands of subcommands: what is not told here is not known. */
function cloud(names: string, rest: Omit<ProgramEntry, 'names' | 'does'> = {}): ProgramEntry {
  const why = phrase('does_changes_cloud')
  const usual = { reach: 'network' as const, changeOperand: cloudChanges }
  return { names, does: 'pass', why, ...usual, ...rest }
}

/** Containers, clusters and clouds. */
export const services: readonly ProgramEntry[] = [
  changes('docker nerdctl', 'does_changes_containers', {
    bare: 'read',
    reach: 'machine',
    addressed: true,
    options: { flag: '-c: --context: -l: --log-level: -D --debug', change: '-H: --host:' },
    sub: {
      ...shows('ps images logs inspect version info stats top port diff history events search'),
      'run create': {
        does: 'change',
        style: 'posix',
        options: {
          variable: '-e: --env:',
          flag:
            '--rm -i -t -it -ti -d --detach --name: -p: --publish: -w: --workdir: -u: --user: ' +
            '--network: --platform: --pull: --init -q --memory: -m: --cpus: --hostname: -l: --label:',
        },
      },
      exec: inside,
      compose,
      container: {
        does: 'change',
        sub: { ...shows('ls list ps inspect logs top stats port diff'), exec: inside },
      },
      ...all('image', 'change', { sub: shows('ls list inspect history') }),
      ...all('volume network config secret node service stack plugin', 'change', {
        sub: shows('ls list inspect ps logs'),
      }),
      system: { does: 'change', sub: shows('df info events') },
      context: { does: 'change', sub: shows('ls list show inspect') },
      manifest: { does: 'change', sub: shows('inspect') },
      // Its lists make a folder of its own in the home.
      buildx: { does: 'change', sub: all('ls inspect du', 'pass'), bare: 'read' },
    },
  }),
  // Without a daemon: even a list makes folders for its storage, and may start a process.
  changes('podman', 'does_changes_containers', {
    sub: all('ps images logs inspect version info stats top port diff history search', 'pass'),
  }),
  { names: 'docker-compose podman-compose', ...compose },
  changes('kubectl oc k', 'does_changes_cluster', {
    bare: 'read',
    reach: 'network',
    addressed: true,
    options: { flag: '-n: --namespace: --context: --cluster: --request-timeout: -v:' },
    sub: {
      ...kubectl('get describe logs top explain version api-resources api-versions events wait'),
      ...all('options', 'read'),
      'cluster-info': { does: 'read', options: { writeTo: '--output-directory:' } },
      'apply create': {
        does: 'change',
        options: {
          rehearse: '--dry-run?',
          flag: '-f: --filename: -n: --namespace: -o: --output:',
        },
      },
      auth: { does: 'change', sub: kubectl('can-i whoami') },
      config: {
        does: 'change',
        sub: kubectl('view get-contexts get-clusters get-users current-context'),
      },
      rollout: { does: 'change', sub: kubectl('status history') },
      exec: { does: 'pass', wraps: { afterDashes: true } },
      'port-forward proxy': { does: 'pass', background: true },
      cp: { does: 'write', why: phrase('does_copies_files') },
    },
  }),
  changes('helm', 'does_changes_cluster', {
    bare: 'read',
    reach: 'network',
    addressed: true,
    options: { flag: '-n: --namespace: --kube-context:' },
    sub: {
      ...all('list ls status history hist version', 'read', {
        options: { flag: '-n: --namespace: -a --all -A --all-namespaces -o: --output: --short' },
      }),
      ...all('get', 'change', {
        sub: all('manifest values notes hooks all', 'read', {
          options: { flag: '-n: --namespace: --revision: -a --all -o: --output:' },
        }),
      }),
      ...all('lint', 'pass', { options: { flag: '-f: --values: --set: --strict --quiet' } }),
      ...all('template', 'pass', {
        remoteOperand: fetchedChart,
        options: {
          writeTo: '--output-dir:',
          program: '--post-renderer:',
          flag:
            '-f: --values: --set: --set-string: -n: --namespace: -s: --show-only: --debug ' +
            '--include-crds --skip-crds --skip-tests --name-template: --kube-version:',
        },
      }),
      ...all('show inspect', 'change', {
        sub: all('all chart values readme crds', 'pass', {
          remoteOperand: fetchedChart,
          options: { flag: '--jsonpath:' },
        }),
      }),
      ...all('repo', 'change', {
        sub: all('list ls', 'read', { options: { flag: '-o: --output:' } }),
      }),
      ...all('dependency dep', 'change', { sub: all('list ls', 'pass') }),
      ...all('plugin', 'change', { sub: all('list ls', 'pass') }),
      env: { does: 'read', environment: true },
    },
  }),
  cloud('aws', { reader: 'aws' }),
  cloud('gcloud', {
    sub: {
      // Every one of them keeps a log and settings of its own.
      ...all('info version', 'pass'),
      config: { does: 'change', sub: all('list get-value get', 'pass') },
      projects: { does: 'change', sub: all('list describe', 'pass') },
    },
  }),
  cloud('gsutil az doctl heroku flyctl fly netlify wrangler firebase'),
  changes('vercel now', 'does_deploys', { reach: 'network' }),
  changes('serverless sls cdk pulumi vagrant packer amplify eb sam copilot', 'does_changes_cloud'),
  changes(
    'ansible ansible-playbook ansible-galaxy ansible-pull ansible-vault',
    'does_changes_machines',
  ),
  changes('buildah skopeo kaniko img', 'does_changes_images'),
  changes('terraform tofu terragrunt', 'does_changes_infrastructure_state', {
    style: 'single',
    options: { flag: '-chdir:', quiet: '-help' },
    sub: {
      // These start the plugins that the project brings.
      ...all('output show validate graph providers', 'pass', {
        style: 'single',
        options: { flag: '-json -raw -no-color' },
      }),
      ...all('version', 'pass', { style: 'single', options: { flag: '-json' } }),
      plan: { does: 'pass', style: 'single', options: { writeAlso: '-out:' } },
      fmt: {
        does: 'write',
        style: 'single',
        options: { rehearse: '-check', flag: '-diff -recursive' },
      },
      state: { does: 'change', sub: all('list show', 'pass') },
      workspace: { does: 'change', sub: all('list show', 'pass') },
    },
  }),
  changes(
    'createdb dropdb createuser dropuser pg_restore pg_ctl initdb mysqladmin mysqlimport',
    'does_changes_data',
  ),
  changes('redis-cli valkey-cli', 'does_changes_data', {
    reach: 'network',
    style: 'posix',
    options: { flag: '-h: -p: -a: -n: -u: --no-auth-warning --raw --csv --json -3' },
    sub: all(
      'get mget hget hgetall hkeys hlen keys scan info ttl pttl type exists lrange llen ' +
        'smembers scard zrange zcard strlen dbsize ping GET MGET HGET HGETALL HKEYS HLEN KEYS ' +
        'SCAN INFO TTL PTTL TYPE EXISTS LRANGE LLEN SMEMBERS SCARD ZRANGE ZCARD STRLEN DBSIZE PING',
      'read',
    ),
  }),
  { names: 'mongosh mongo cqlsh clickhouse-client influx', does: 'opaque', reach: 'network' },
  writes('mongodump mongoexport', 'does_writes_files'),
  changes('mongorestore mongoimport', 'does_changes_data'),
  reads('hadolint', { options: { flag: '-f: --format: --no-color -t: --failure-threshold:' } }),
]
