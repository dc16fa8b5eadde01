/** A line as an agent may write it, and what of it nobody may find again. */
export interface SecretLine {
  readonly line: string
  readonly secret: string
}

// Put together here, so that no scanner takes this file for a leak.
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const hexDigits = '0123456789abcdef'

/** The same for each place, another for each: what was left in must tell where it came from. */
function random(alphabet: string, length: number, seed: number): string {
  let state = (seed + 1) * 2654435761
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return alphabet[state % alphabet.length]
  }).join('')
}

/** `%` stands for the secret, `#` for one in hexadecimal digits. */
const shapes = [
  'export AWS_SECRET_ACCESS_KEY=%/+x',
  'AWS_SESSION_TOKEN=% aws s3 ls',
  'aws configure set aws_secret_access_key %',
  'npm config set //registry.example/:_authToken %',
  'psql postgres://shop:%@db.internal/shop',
  'redis-cli -u redis://:%@cache:6379',
  'mongosh "mongodb+srv://shop:%@cluster.example/shop"',
  'deploy --password=%',
  'deploy --password %',
  'deploy --api-key %',
  'PGPASSWORD=% psql shop',
  'MYSQL_PWD=% mysql shop',
  'mysql -u root -p% shop',
  'mysqldump -uroot -p% shop',
  'redis-cli -a % ping',
  'docker login -u shop -p % registry.example',
  'sshpass -p % ssh host',
  'openssl rsa -in key.pem -passin pass:%',
  'curl -u ann:% https://example.test',
  'curl --user ann:% https://example.test',
  'curl -H "Authorization: Bearer %" https://example.test',
  'curl -H "Authorization: Basic %" https://example.test',
  'curl --oauth2-bearer % https://example.test',
  "curl -H 'Cookie: session=%; theme=dark' https://example.test",
  "curl -b 'session=%' https://example.test",
  'curl --cookie session=% https://example.test',
  'curl -H "X-Api-Key: %" https://example.test',
  'curl -H "PRIVATE-TOKEN: %" https://example.test',
  'curl "https://example.test/?api_key=%&x=1"',
  'curl "https://example.test/?access_token=%"',
  'stripe listen --key sk_live_%',
  'echo rk_live_%',
  'echo whsec_%',
  'git clone https://oauth2:glpat-%@example.test/x',
  'echo glpat-%',
  'echo ghp_%',
  'echo github_pat_%',
  'echo SG.%.x%',
  'echo sk-ant-api03-%',
  'echo sk-proj-%',
  'echo xoxb-123456789012-%',
  'curl https://hooks.slack.com/services/T00000000/B00000000/%',
  'curl https://discord.com/api/webhooks/123456789012345678/%',
  'echo npm_%%',
  'echo pypi-%%%',
  'echo dckr_pat_%',
  'echo hf_%%',
  'echo hvs.%',
  'echo GOCSPX-%',
  'echo ya29.%',
  'echo AIza%%',
  'echo glsa_%_x',
  'echo sntrys_%',
  'echo figd_%',
  'echo ntn_%',
  'echo dapi#',
  'echo PMAK-#-x',
  'echo NRAK-%',
  'echo sbp_#',
  'echo dp.pt.%',
  'echo ATATT3x%',
  'echo gsk_%',
  'echo pplx-%',
  'echo xai-%',
  'echo r8_%',
  'echo re_abcdEFGH_%',
  'echo rubygems_#',
  'echo sq0csp-%',
  'echo key-#',
  'echo lin_api_%',
  'TOKEN=# ./run.sh',
  '{"api_key":"%"}',
  '{\\"api_key\\": \\"%\\"}',
  '{"auths":{"registry.example":{"auth":"%"}}}',
  'client_secret: %',
  'machine example.test login ann password %',
  '//registry.example/:_authToken=%',
  '//registry.example/:_auth=%',
  'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=%==',
  'Endpoint=sb://shop.example/;SharedAccessKeyName=x;SharedAccessKey=%=',
  'Server=db;Uid=shop;Pwd=%;',
  '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n%\n-----END PGP PRIVATE KEY BLOCK-----',
  '-----BEGIN OPENSSH PRIVATE KEY-----\n%\n-----END OPENSSH PRIVATE KEY-----',
  'echo eyJhbGciOiJIUzI1NiJ9.%.%',
]

export const secretLines: readonly SecretLine[] = shapes.map((shape, index) => {
  const isHex = shape.includes('#')
  const secret = isHex ? random(hexDigits, 32, index) : random(letters, 24, index)
  return { line: shape.replaceAll(isHex ? '#' : '%', secret), secret }
})
