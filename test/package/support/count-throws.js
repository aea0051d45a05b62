'use strict'

// A process of its own, as it is its debugger that counts: what lib/ throws while it serves good requests, be it
// caught or not. Each is served twice, as loading a file may throw, and the second time counts.

const { once } = require('node:events')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { Worker } = require('node:worker_threads')
const rows = require('./good-requests')

const LIB = pathToFileURL(path.join(__dirname, '../../../lib')).href + '/'

/** A thread may debug the main thread: it notes where something is thrown, and lets the main thread go on. */
const DEBUGGER = `
  const { Session } = require('node:inspector')
  const { parentPort, workerData } = require('node:worker_threads')
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map()
  let thrown = []
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url))
  session.on('Debugger.paused', ({ params: { callFrames, data } }) => {
    const places = callFrames.map(({ functionName, location: { scriptId, lineNumber } }) =>
      functionName + ' ' + urls.get(scriptId) + ':' + (lineNumber + 1))
    const [message] = String(data?.description ?? data?.value).split('\\n')
    if (places.some((place) => place.includes(workerData))) thrown.push([message, ...places.slice(0, 3)].join(' < '))
    session.post('Debugger.resume')
  })
  parentPort.on('message', (state) => session.post('Debugger.setPauseOnExceptions', { state }, () => {
    parentPort.postMessage(thrown)
    thrown = []
  }))
  session.post('Debugger.enable', () => parentPort.postMessage('ready'))
`

async function main () {
  const worker = new Worker(DEBUGGER, { eval: true, workerData: LIB })
  await once(worker, 'message')
  const served = {}
  for (const [name, serve] of Object.entries(rows)) {
    await serve()
    await pauseOn('all')
    const status = await serve()
    served[name] = { status, thrown: await pauseOn('none') }
  }
  await worker.terminate()
  console.log(JSON.stringify(served))

  /** @returns {Promise<string[]>} what was thrown before */
  async function pauseOn (state) {
    worker.postMessage(state)
    const [list] = await once(worker, 'message')
    return list
  }
}

main()
