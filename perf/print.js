'use strict'

// What --print shows: how to send a scenario by hand.

const path = require('node:path')
const { writeFile } = require('../tools/atomic-write')
const { optionsOf } = require('../tools/lab/closed-loop')
const { exchangesOf } = require('./answers')
const quote = require('./quote')

const APP = path.join(__dirname, 'app')
const PORT = 3000
const LONGEST = 100 // characters of a body that the line compares with

/** @returns {string} lines that start a server of each target, and send it the scenario for ten seconds */
function handText (scenario, targets, { connections, pipelining }) {
  const requests = exchangesOf(scenario)
  const obstacle = obstacleOf(scenario, requests)
  if (obstacle !== null) return `${scenario.name}: no line, as ${obstacle}\n`
  const servers = targets.map(({ node, folders }, i) => {
    const settings = JSON.stringify({ scenario: scenario.name, folder: folders[scenario.app] })
    const program = `require(${JSON.stringify(APP)}).createServer(${settings}).listen(${PORT + i})`
    return `  ${quote(node.path)} -e ${quote(program)}`
  })
  const loads = targets.map((_, i) => {
    return lineOf(optionsOf({ port: PORT + i, requests, connections }), pipelining, scenario)
  })
  return [scenario.name, ...servers, ...loads, ''].join('\n')
}

function obstacleOf ({ beside }, [request, ...others]) {
  if (others.length > 0) return `autocannon's command line sends one request, not ${others.length + 1}`
  if (beside !== undefined) return 'others are sent beside it'
  if (request.chunks !== undefined) return 'autocannon always declares a length'
  if (!Buffer.from(String(request.body)).equals(request.body)) return 'autocannon reads files as UTF-8'
  return null
}

function lineOf ({ url, connections, timeout, bailout, method, headers, body, expectBody }, pipelining, { name }) {
  const file = path.join(__dirname, 'output', `${name.replace(/\W+/g, '-')}.body`)
  if (body.length > 0) writeFile(file, body)
  return ['  npx autocannon', '-m', method, '-c', connections, '-p', pipelining, '-t', timeout, '-B', bailout,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quote(`${name}:${value}`)]),
    ...body.length > 0 ? ['-i', quote(path.relative('', file))] : [],
    ...expectBody.length > LONGEST ? [] : ['-E', quote(expectBody)],
    url].join(' ')
}

module.exports = handText
