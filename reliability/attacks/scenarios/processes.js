'use strict'

// Starts the processes of a scenario, and ends them.

const path = require('node:path')
const IpcProcess = require('../../../tools/ipc-process')

const START = 20_000 // ms to be ready
const ANSWER = 60_000 // ms for an answer

/**
 * @template T
 * @param {(processes: Processes) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withProcesses (use) {
  const processes = new Processes()
  try {
    return await use(processes)
  } finally {
    await processes.close()
  }
}

class Processes {
  all = []

  /**
   * @param {string} file of this folder
   * @param {object} settings
   * @param {{ flags?: string[], before?: string[] }} [how] flags of Node.js, and a command in front of it
   * @returns {Promise<{ port?: number, ask: (type: string, order?: object) => Promise<object> }>}
   */
  async start (file, settings, { flags = [], before = [] } = {}) {
    const command = [...before, process.execPath, ...flags, path.join(__dirname, file), JSON.stringify(settings)]
    const child = new IpcProcess(`${file} of ${settings.target ?? 'the scenario'}`, command, __dirname)
    this.all.push(child)
    return { ...await child.ready(START), ask: (type, order = {}) => child.ask(type, order, ANSWER) }
  }

  async close () {
    for (const child of this.all) await child.close()
  }
}

module.exports = withProcesses
