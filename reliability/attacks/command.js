'use strict'

// What both commands have in common: their options, and how they end.

const { byPartOfName, runCommand } = require('../../tools/command-line')
const { createProgress, timeLeft } = require('../../tools/progress')

/**
 * @param {object} command
 * @param {string} command.usage
 * @param {{ name: string, what: string }[]} command.items to run
 * @param {Record<string, import('../../tools/command-line').Option>} command.options more of them
 * @param {(item: object, settings: object) => Promise<{ faults: string[], text: string }>} command.measure
 * @param {string} [command.headline] of the table
 */
module.exports = function attackCommand ({ usage, items, options, measure, headline }) {
  runCommand({
    usage,
    options: {
      filter: {
        value: 'A,B',
        read: byPartOfName(items, 'an attack'),
        default: () => items,
        help: 'only those whose name contains one of these'
      },
      ...options,
      list: { help: 'name them all' }
    },
    async run ({ values: { filter: selected, list, ...settings } }) {
      if (list) return console.log(selected.map(({ name, what }) => `${name.padEnd(26)} ${what}`).join('\n'))
      let failed = 0
      const progress = createProgress()
      const began = performance.now()
      if (headline !== undefined) console.log(headline)
      for (const [index, item] of selected.entries()) {
        const { faults, text } = await measure(item, settings)
        if (faults.length > 0) failed++
        console.log(text)
        const done = index + 1
        progress.say(`${done} of ${selected.length}, ${timeLeft(began, done / selected.length)}`)
      }
      console.log(`${selected.length - failed} of ${selected.length} passed`)
      process.exitCode = failed === 0 ? 0 : 1
    }
  })
}
