'use strict'

// npm run attacks: sends attacks so many times a second, beside background
// clients, to a server with this package and to one with body-parser.

const { number, wholeNumber } = require('../../tools/command-line')
const attacks = require('./catalog')
const attackCommand = require('./command')
const run = require('./run')
const faultsOf = require('./verdict')

const OURS = 'fast-body-parser'
const COOPERATIVE = 'fast-body-parser, cooperative'
const THEIRS = 'body-parser'
const TRIES = 3 // a fault must show in each of them

const COLUMNS = [['busy', 2, 1, 'busy'], ['p50', 1, 1, 'p50 ms'], ['p99', 1, 1, 'p99 ms'], ['peak', 0, 2 ** 20, 'MB']]
/** Ours, body-parser's and, for JSON, ours with the option cooperative. */
const padded = (texts) => texts.map((text) => String(text).padStart(7)).join('')

attackCommand({
  usage: `npm run attacks -- [options]        single attacks, beside other clients
       npm run attacks -- scenarios [options]  many clients together

Sends each attack so many times a second, for some seconds, while background
clients post small bodies 200 times a second: to servers with this package's
parsers and with body-parser 2.4.0, or with multer. Compares how busy the main
threads are (share of the time), how long the background clients wait (p50 and
p99, ms), and the peak of the memory (MB): of ours, of theirs, and for JSON of
ours with the option cooperative. All of them take ten minutes.
Exit status: 0 if ours costs no more than theirs, 1 if it does, 2 for wrong
options.
`,
  items: attacks,
  options: {
    rounds: { value: 'N', read: wholeNumber(1, 100), default: 3, help: 'of which the medians are shown' },
    seconds: { value: 'N', read: number(0.1, 60), default: 0.6, help: 'of a round' }
  },
  headline: `${'attack'.padEnd(26)}    /s${COLUMNS.map(([, , , unit]) => unit.padStart(21)).join('')}`,
  measure
})

/** Other load on the machine can look like a fault, so a fault is measured again. */
async function measure (attack, settings) {
  const [our, their] = attack.targets ?? [OURS, THEIRS]
  const targets = [our, ...attack.isJson ? [COOPERATIVE] : [], their]
  let row
  for (let left = TRIES; left > 0 && row?.faults.length !== 0; left--) {
    const { rate, targets: figures } = await run(attack, targets, settings)
    const [ours, theirs, cooperative] = [our, their, COOPERATIVE].map((name) => figures[name])
    const seen = faultsOf(attack, ours, theirs)
    const others = cooperative === undefined ? [] : faultsOf(attack, cooperative, theirs, ['p50', 'p99'])
    seen.push(...others.map((fault) => `${fault} (cooperative)`))
    const faults = row === undefined ? seen : row.faults.filter((fault) => seen.includes(fault))
    row = { rate, sides: [ours, theirs, cooperative], faults }
  }
  const { faults, rate, sides } = row
  const cells = COLUMNS.map(([key, digits, unit]) =>
    padded(sides.map((side) => side ? (side[key] / unit).toFixed(digits) : '')))
  const verdict = faults.length === 0 ? 'ok' : `${faults.join(', ')}; outcomes ${JSON.stringify(sides[0].outcomes)}`
  return { faults, text: `${attack.name.padEnd(26)}${rate.toFixed(0).padStart(6)}${cells.join('')}  ${verdict}` }
}
