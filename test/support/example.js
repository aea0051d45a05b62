'use strict'

// Starts files of examples/.

const { execFile, spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')

const EXAMPLES = path.join(__dirname, '../../examples')

/**
 * Serves the app that an example exports, while the tests of the current suite
 * run.
 *
 * @param {string} name
 * @returns {{ url: string }} set before the first test; ends in a slash
 */
function serveExample (name) {
  const served = { url: '' }
  let server

  before(async () => {
    server = require(path.join(EXAMPLES, name)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    served.url = `http://127.0.0.1:${server.address().port}/`
  })

  after(() => {
    server.closeAllConnections()
    server.close()
  })

  return served
}

/**
 * Starts an example as a program, until `use` is done.
 *
 * @param {string} name
 * @param {(output: string) => Promise<void>} use gets what it prints, up to a call of curl
 */
async function startExample (name, use) {
  const child = spawn(process.execPath, [path.join(EXAMPLES, `${name}.js`)],
    { env: { ...process.env, PORT: '0', NODE_V8_COVERAGE: '' }, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let output = ''
    for await (const chunk of child.stdout) {
      output += chunk
      if (output.includes('curl')) break
    }
    await use(output)
  } finally {
    child.kill()
  }
}

/**
 * Runs an example that ends by itself.
 *
 * @param {string} file its name
 * @param {NodeJS.ProcessEnv} env in addition to that of this process
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>}
 */
function runExample (file, env) {
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(EXAMPLES, file)], {
      env: { ...process.env, ...env },
      timeout: 20_000
    }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : error.code, stdout, stderr })
    })
  })
}

module.exports = { runExample, serveExample, startExample }
