'use strict'

// The app of a target, for tools/lab/server.js. It runs on the target's
// Node.js, and loads the packages of the target's folder.

const { subscribe } = require('node:diagnostics_channel')
const fs = require('node:fs')
const http = require('node:http')
const { createRequire } = require('node:module')
const path = require('node:path')
const chain = require('../tools/chain')
const { answers } = require('./answers')
const scenarios = require('./scenarios')

/**
 * @param {object} settings
 * @param {string} settings.scenario
 * @param {string} settings.folder of the packages
 * @param {string} [settings.answer] in place of the scenario's
 * @param {number} [settings.planted] how often a small text is parsed for each request in addition
 * @param {boolean} [settings.countsLanes] whether to count which lane bodies take: not while it is measured
 */
exports.createServer = function createServer (settings) {
  const { scenario: name, folder, answer, planted = 0, countsLanes = false } = settings
  if (countsLanes) subscribe('tracing:fast-body-parser:asyncStart', countLane)
  const scenario = scenarios.find((one) => one.name === name)
  const load = createRequire(path.join(folder, 'package.json'))
  const create = scenario.app === 'http' ? createPlain : createExpress
  const handle = create(load, scenario.parsers, answers[answer ?? scenario.answer])
  return http.createServer(planted === 0 ? handle : working(handle, planted))
}

/** Lane -> bodies; nothing of other parsers, which do not tell. */
const lanes = {}

function countLane ({ lane }) {
  lanes[lane] = (lanes[lane] ?? 0) + 1
}

/** The parsers of Express, in the version that the target has. */
function createExpress (load, parsers, answer) {
  const express = load('express')
  const app = express()
  app.disable('x-powered-by')
  for (const [name, options] of Object.entries(parsers)) app.use(express[name](options))
  const respond = (req, res) => res.end(answer(req.body, req.headers))
  app.get('/', respond)
  app.post('/', respond)
  app.use((error, req, res, next) => refuse(error, res)) // four parameters make it an error handler
  return app
}

/** The parsers one after the other on plain node:http. */
function createPlain (load, parsers, answer) {
  const bodyParser = load('body-parser')
  const parse = chain(Object.entries(parsers).map(([name, options]) => bodyParser[name](options)))
  return (req, res) => parse(req, res, (error) => error ? refuse(error, res) : res.end(answer(req.body, req.headers)))
}

function refuse (error, res) {
  res.statusCode = error.status || 500
  res.end(error.type || error.message)
}

/** Work of the kind that parsers do: time spent spinning would slow down what runs after it, too. */
function working (handle, planted) {
  return (req, res) => {
    for (let i = 0; i < planted; i++) JSON.parse('{"id":1}')
    handle(req, res)
  }
}

exports.commands = {
  lanes: () => lanes,

  /** Reports the packages that were loaded from `node_modules`; `name` is that of the folder. */
  packages () {
    const folders = new Map(Object.keys(require.cache).flatMap((file) => {
      const found = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)
      return found === null ? [] : [[found[0], found[1].replace('\\', '/')]]
    }))
    const packages = Array.from(folders, ([folder, name]) => {
      const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
      return { name, version, path: folder }
    })
    return { node: process.version, packages }
  }
}
