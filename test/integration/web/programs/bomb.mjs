// Prints what a body makes of this process: a Request whose coding is the first
// argument, its content from stdin. With `hide`, the runtime has no zlib.

import fs from 'node:fs'

const [coding, hide] = process.argv.slice(2)
const content = fs.readFileSync(0)
if (hide === 'hide') process.getBuiltinModule = undefined
const { json } = (await import('../../../../lib/web/index.js')).default
const read = json({ limit: '100kb' })

const parse = (body, fields) => {
  const headers = { 'content-type': 'application/json', ...fields }
  return read(new Request('http://test', { method: 'POST', body, headers }))
}

/** MB that this process has taken so far, or takes now. */
const memory = (name) => {
  const status = fs.readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024
}

await parse('{}')
const before = memory('VmRSS')
const { status } = await parse(content, { 'content-encoding': coding }).then(() => ({ status: 200 }), (error) => error)
console.log(JSON.stringify({ status, grown: Math.round(memory('VmHWM') - before) }))
