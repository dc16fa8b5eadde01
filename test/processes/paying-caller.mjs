// Makes paid calls side by side until it is killed or refused, and tells each that it was let make.
const [url, token, count, ...runs] = process.argv.slice(2)
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

async function post(path, body) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return answer.json()
}

async function pay(run, n) {
  const call_id = `${run}-${n}`
  const call = { run, call_id, tool: 'mcp__paid__look', input: { n } }
  const { decision } = await post('/api/check', call)
  if (decision !== 'allow') return
  process.stdout.write(`${call_id}\n`)
  await post('/api/result', { run, call_id, exit: 'success', cost_usd: 0.1 })
}

await Promise.all(
  runs.map(async (run) => {
    for (let n = 0; n < Number(count); n++) await pay(run, n)
  }),
)
