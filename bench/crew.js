'use strict'

const { fork } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')

const PATIENCE = 60e3 // ms

/**
 * Starts a worker.
 *
 * @param {object} job see worker.js
 * @param {object} how
 * @param {string} how.node path of the Node that runs it
 * @param {string[]} [how.flags] for that Node
 * @returns {{ ready: Promise<object>, ask: (order: string) => Promise<object>, stop: () => void }}
 *   `ready` is fulfilled once the worker is warm
 */
function hire (job, { node, flags = [] }) {
  const child = fork(path.join(__dirname, 'worker.js'), [JSON.stringify(job)], {
    execPath: node,
    execArgv: flags
  })
  const ready = reply(child, job)
  ready.catch(() => {}) // whoever awaits it hears of it, but maybe later
  return {
    ready,
    ask (order) {
      child.send(order)
      return reply(child, job)
    },
    stop () {
      child.kill()
    }
  }
}

async function reply (child, { row, competitor }) {
  const waiting = new AbortController()
  const { signal } = waiting
  const timer = setTimeout(() => child.kill(), PATIENCE)
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code, reason]) => {
        throw new Error(`the worker of "${competitor}" in "${row}" ended early (${reason ?? code})`)
      })
    ])
  } finally {
    clearTimeout(timer)
    waiting.abort()
  }
}

module.exports = hire
