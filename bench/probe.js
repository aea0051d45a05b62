'use strict'

// A fresh process: how long do loading a module and making its parser take?

const [, , id, makes] = process.argv

const start = process.hrtime.bigint()
const loaded = require(id)
const parser = makes === 'true' ? (loaded.json ?? loaded)() : loaded
const time = Number(process.hrtime.bigint() - start) / 1e6

if (makes === 'true' && typeof parser !== 'function') throw new Error(`${id} made no parser`)
const modules = Object.keys(require.cache).length - 1 // this file is no part of it
console.log(JSON.stringify({ time, modules }))
