'use strict'

const { handleCommands, sayReady } = require('../../../../tools/ipc')

handleCommands({
  double: ({ number }) => ({ number: number * 2 }),
  async refuse () { throw new Error('cannot do that') },
  crash () { setImmediate(() => { throw new TypeError('out of order') }) },
  hang: () => new Promise(() => {})
})
sayReady({ pid: process.pid })
