'use strict'

// AppSec wraps what lib/read.js of the folder body-parser exports, if the version there is 1.20 or later. It looks at
// what was parsed before `next` is called, and where a rule says so, it answers instead.

const { both } = require('./support/both')
const { titleOf } = require('../support/sides')

const env = {
  DD_APPSEC_ENABLED: 'true',
  DD_APPSEC_HTTP_BLOCKED_TEMPLATE_JSON: 'blocked.json',
  DD_APPSEC_RULES: 'block-attack.json',
  DD_CRASHTRACKING_ENABLED: 'false',
  DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
  DD_REMOTE_CONFIGURATION_ENABLED: 'false',
  DD_TRACE_AGENT_PORT: '9', // where nobody listens
  DD_TRACE_STARTUP_LOGS: 'false'
}

const json = 'application/json'
const bytes = { type: 'Buffer', data: Array.from(Buffer.from('<attack>')) }

/** [title, type, pieces of the body; what is parsed, if no rule forbids it] */
const rows = [
  ['lets harmless JSON pass', json, ['{"a":"b"}'], { a: 'b' }],
  ['blocks an attack in JSON', json, ['{"a":["<attack>"]}']],
  ['blocks one that comes after the header', json, ['', '{"a":["<attack>"]}']],
  ['blocks one in two packets', json, ['{"a":["<att', 'ack>"]}']],
  ['blocks one in a form', 'application/x-www-form-urlencoded', ['a[b]=%3Cattack%3E']],
  ['blocks one in a text', 'text/plain', ['an <attack>']],
  ['lets bytes pass, of which no rule tells', 'application/octet-stream', ['<attack>'], bytes]
].map(([it, type, pieces, body]) => ({
  it,
  request: { headers: { 'content-type': type }, pieces },
  answer: body ? { status: 200, body: { body, context: true } } : { status: 403, body: { blocked: true } }
}))

describe(`${titleOf('dd-trace')} with AppSec`, () => both('datadog.js', rows, env))
