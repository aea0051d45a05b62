'use strict'

// Starts the processes of a scenario, and ends them.

const IpcProcess = require('../../../tools/ipc-process')

const TIMEOUT = 60_000 // ms to be ready, or for an answer
const SERVER = require.resolve('../../../tools/server-process')
const APP = require.resolve('../app')

/**
 * @template T
 * @param {(processes: Processes) => Promise<T>} use
 * @returns {Promise<T>}
 */
module.exports = async function withProcesses (use) {
  const processes = new Processes()
  try {
    return await use(processes)
  } finally {
    for (const child of processes.all) await child.close()
  }
}

class Processes {
  all = []

  /**
   * @param {object} settings of ../app.js
   * @param {{ flags?: string[], before?: string[] }} [how] flags of Node.js, and a command in front of it
   * @returns {Promise<{ port: number, ask: (type: string, order?: object) => Promise<object> }>}
   */
  serve (settings, { flags = [], before = [] } = {}) {
    return this.#start(settings.target, [...before, process.execPath, ...flags, SERVER, APP, JSON.stringify(settings)])
  }

  async #start (name, command) {
    const child = new IpcProcess(name, command, __dirname)
    this.all.push(child)
    return { ...await child.ready(TIMEOUT), ask: (type, order = {}) => child.ask(type, order, TIMEOUT) }
  }
}
