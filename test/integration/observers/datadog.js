'use strict'

// AppSec wraps what lib/read.js of the folder body-parser exports, if the
// version there is 1.20 or later. It looks at what was parsed before `next` is
// called, and where a rule says so, it answers instead.

const { both } = require('./support/both')
const { titleOf } = require('./support/sides')

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

const rows = [
  passes('lets harmless JSON pass', { type: json, pieces: ['{"a":"b"}'], body: { a: 'b' } }),
  blocks('blocks an attack in JSON', { type: json, pieces: ['{"a":["<attack>"]}'] }),
  blocks('blocks one that comes after the header', { type: json, pieces: ['', '{"a":["<attack>"]}'] }),
  blocks('blocks one in two packets', { type: json, pieces: ['{"a":["<att', 'ack>"]}'] }),
  blocks('blocks one in a chunked request', { type: json, pieces: ['{"a":["<att', 'ack>"]}'], chunked: true }),
  blocks('blocks one in a form', { type: 'application/x-www-form-urlencoded', pieces: ['a[b]=%3Cattack%3E'] }),
  blocks('blocks one in a text', { type: 'text/plain', pieces: ['an <attack>'] }),
  passes('lets bytes pass, of which no rule tells', {
    type: 'application/octet-stream',
    pieces: ['<attack>'],
    body: bytes
  })
]

function passes (it, { type, body, ...request }) {
  return {
    it,
    request: { headers: { 'content-type': type }, ...request },
    answer: { status: 200, body: { body, context: true } }
  }
}

function blocks (it, { type, ...request }) {
  return {
    it,
    request: { headers: { 'content-type': type }, ...request },
    answer: { status: 403, body: { blocked: true } }
  }
}

describe(`${titleOf('dd-trace')} with AppSec`, () => {
  both('datadog.js', rows, env)
})
