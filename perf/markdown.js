'use strict'

// What --markdown writes: a comparison for the comment of a pull request, or for the summary of a job.

const { markdownTable } = require('../tools/text-table')
const { agreementText, levelText, targetTexts } = require('./caption')
const percent = require('./percent')
const { profileNote, profileRows } = require('./profile')
const { comparedRows, figure } = require('./text')

/**
 * @param {object} comparison see comparison.schema.json
 * @param {string[]} args of the command that measured it
 * @returns {string}
 */
function markdownOf ({ targets, settings: { level }, scenarios, verdict, skipped }, args) {
  const [a, b] = targetTexts(targets)
  const { server: { cpu, platform, arch, kernel }, commit, date } = targets.a
  const head = ['CPU time per request', 'A', 'B', 'B compared with A', `${levelText(level)} interval`, 'verdict']
  const notes = scenarios.flatMap(({ name, warnings }) => warnings.map((warning) => `- ${name}: ${warning}`))
  const program = commit === null ? '' : `, by the load tests of commit ${commit.hash.slice(0, 7)}`
  return [
    `**${verdict.text}**`,
    `- A: ${a}\n- B: ${b}`,
    markdownTable(head, scenarios.map(rowOf)),
    [...notes, ...skipped.map(({ name, reason }) => `- ${name} is left out: ${reason}`)].join('\n'),
    ...scenarios.filter(({ profile }) => profile).map(({ name, profile }) => {
      return `Where, ${name}:\n\n${markdownTable(...profileRows(profile, 5))}\n\n${profileNote(profile)}.`
    }),
    details('Other figures', scenarios.map((scenario) => {
      return `${scenario.name}:\n\n${markdownTable(...comparedRows(scenario))}`
    }).join('\n\n')),
    `Measured on ${cpu.trim()}, ${platform} ${arch} ${kernel}, ${date.slice(0, 10)}${program}:`,
    `\`\`\`sh\n${['npm run test:load --', ...args.filter(isNoOutput).map(quote)].join(' ')}\n\`\`\``
  ].filter((block) => block !== '').join('\n\n').concat('\n')
}

function rowOf ({ name, a, b, verdict }) {
  const { decision, ratio, interval } = verdict
  const figures = [a, b].map(({ averages }) => figure(averages.cpu, 'us'))
  return [name, ...figures, percent(ratio), percent.range(interval), `${decision}: ${agreementText(verdict)}`]
}

/** @returns {string} a word of a command line, quoted for a POSIX shell where it needs that */
const quote = (text) => /^[\w./:=@%,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Where a job wrote its files is of no use to somebody who repeats the command. */
const isNoOutput = (arg) => !/^--(markdown|output)=/.test(arg)

const details = (summary, text) => `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`

module.exports = markdownOf
