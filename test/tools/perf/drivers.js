'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { after, before, describe, it } = require('mocha')
const caveatsOf = require('../../../perf/caveats')
const { json } = require('../../../perf/requests')

const VALUE = { last: 'the-end!' }
const SCENARIO = { name: 'x', answer: 'tail', requests: [json(VALUE, 19)] }

describe('perf/drivers', () => {
  let server
  let url

  before((done) => {
    server = http.createServer((req, res) => {
      req.resume().on('end', () => res.end(VALUE.last))
    }).listen(0, '127.0.0.1', () => {
      url = `http://127.0.0.1:${server.address().port}`
      done()
    })
  })

  after(() => {
    server?.close()
    server?.closeAllConnections()
  })

  it('keep to a rate of which a slice has but a fraction of a request', async () => {
    const slices = await load('pace', { rate: 15 }, 10)
    assert.equal(slices.at(-1).responses, 15)
    assert.equal(slices[0].responses, 1)
    assert.ok(slices.at(-1).elapsed >= 1e9, `${slices.at(-1).elapsed} ns`) // a slice is not over before its time
  })

  for (const name of ['pace', 'saturate']) {
    it(`count the bodies' bytes and their own CPU time: ${name}`, async () => {
      const [{ responses, bytes, cpu, problem }] = await load(name, { rate: 100 }, 1)
      assert.equal(problem, null)
      assert.ok(responses > 0)
      assert.equal(bytes, responses * VALUE.last.length)
      assert.ok(cpu > 0)
    })
  }

  /** @returns {Promise<object[]>} the tally after each slice */
  async function load (name, settings, slices) {
    const Drive = require(`../../../perf/drivers/${name}`)
    const drive = new Drive(SCENARIO, { url, connections: 2, timeout: 5, ...settings })
    const counted = []
    for (let i = 0; i < slices; i++) {
      await drive.go(0.1)
      counted.push(drive.tally.toJSON())
    }
    await drive.close()
    return counted
  }
})

describe('perf/caveats', () => {
  const paced = { rate: 5000, slice: 0.1, duration: 2 }
  const full = { rate: null, slice: 0.1, duration: 2 }

  for (const [what, averages, options, caveats] of [
    ['a rate that is kept', { rps: 4990, latencyP50: 0.3 }, paced, 0],
    ['a rate that is kept, over a long way', { rps: 4550, latencyP50: 10 }, paced, 0],
    ['a rate that is not', { rps: 3000, latencyP50: 30 }, paced, /did not keep up: 3,000 responses\/s of the 5,000 requests\/s/],
    ['a rate that is no whole number of requests', { rps: 0.5, latencyP50: 1 }, { ...paced, rate: 0.7 }, 0],
    ['a busy server', { utilisation: 0.97, driverUtilisation: 0.99 }, full, 0],
    ['an idle server', { utilisation: 0.5, driverUtilisation: 0.3 }, full, /had 50 % of a core's time: its responses per second are not its most$/],
    ['a busy driver', { utilisation: 0.5, driverUtilisation: 0.99 }, full, /for the driver was busy \(99 %\)$/],
    ['a server elsewhere', { utilisation: null, driverUtilisation: 0.99 }, full, 0]
  ]) {
    it(`${caveats === 0 ? 'are none' : 'tell'} of ${what}`, () => {
      const found = caveatsOf('A', averages, options)
      if (caveats === 0) assert.deepEqual(found, [])
      else assert.match(found[0], caveats)
    })
  }
})
