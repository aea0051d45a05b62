'use strict'

const path = require('node:path')
const { commitText, describeCommit, describeMachine } = require('../../tools/machine')
const { createProgress } = require('../../tools/progress')
const { packageOf } = require('../measure/footprint')
const { json } = require('../rows/bodies')
const { post } = require('../rows/row')
const { messageOf, withSession } = require('./session')
const { answerTo, stacks } = require('./stacks')

const LEAD = 300 // ms of load at the start of each turn
const BODY = json(274)
const EXPECTED = { status: 200, body: JSON.stringify(answerTo(BODY.value)) }

/**
 * Measures all stacks in turn, in a closed and in an open loop.
 *
 * @param {{ path: string, version: string }} node
 * @param {{ sets: number, rounds: number, seconds: number, warmUp: number, connections: number, rate: number }} settings
 * @returns {Promise<object>} with the turns of each stack, see session.js
 */
async function measureStacks (node, settings) {
  const { sets, rounds, seconds, warmUp, connections, rate } = settings
  const turns = { lead: LEAD, time: seconds * 1000, rounds }
  const measured = stacks.map(({ name, packages, checks }) => ({ name, checks, versions: versionsOf(packages), closed: [], open: [] }))
  const progress = createProgress()
  for (let set = 0; set < sets; set++) {
    await withSession(async (session) => {
      for (const { name } of stacks) {
        await session.open({ name, app: { stack: name }, message: messageOf(post('json', BODY)), expected: EXPECTED }, { node: node.path, connections })
      }
      progress.update(set / sets, 'warming up')
      await session.warm(warmUp * 1000)
      progress.update((set + 0.3) / sets, 'closed loop')
      const closed = await session.measure({ rate: null, ...turns })
      progress.update((set + 0.65) / sets, 'open loop')
      const open = await session.measure({ rate, ...turns })
      for (const stack of measured) {
        stack.closed.push(...closed[stack.name])
        stack.open.push(...open[stack.name])
      }
    })
  }
  progress.stop()
  const { cpu, cores } = describeMachine()
  return {
    node: node.version,
    machine: `${cpu.trim()}, ${cores} cores`,
    date: new Date().toISOString().slice(0, 10),
    commit: commitText(describeCommit(path.join(__dirname, '../..'))),
    settings,
    stacks: measured
  }
}

function versionsOf (packages) {
  return packages.map((name) => `${name} ${packageOf(name).version}`)
}

module.exports = { measureStacks }
