'use strict'

// What both commands have in common: their options, and how they end.

const { clearOutput, writeJson } = require('../../tools/atomic-write')
const { byPartOfName, fileName, runCommand } = require('../../tools/command-line')
const { describeMachine } = require('../../tools/machine')

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
      filter: { value: 'A,B', read: byPartOfName(items, 'an attack'), default: () => items, help: 'only those whose name contains one of these' },
      ...options,
      json: { value: 'FILE', read: fileName('.json'), help: 'write all figures there' },
      list: { help: 'name them all' }
    },
    failureStatus: 2,
    async run ({ values: { filter: selected, json, list, ...settings } }) {
      if (list) return console.log(selected.map(({ name, what }) => `${name.padEnd(26)} ${what}`).join('\n'))
      if (json !== null) clearOutput([json])
      const rows = []
      if (headline !== undefined) console.log(headline)
      for (const item of selected) {
        const { text, ...row } = await measure(item, settings)
        rows.push({ name: item.name, what: item.what, ...row })
        console.log(text)
      }
      const failed = rows.filter(({ faults }) => faults.length > 0)
      console.log(`${rows.length - failed.length} of ${rows.length} passed`)
      if (json !== null) writeJson(json, { date: new Date().toISOString(), node: process.version, machine: describeMachine(), settings, rows })
      process.exitCode = failed.length === 0 ? 0 : 1
    }
  })
}
