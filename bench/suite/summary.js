'use strict'

// What is kept in git of a run: one line of Markdown for each row.

const { min } = require('../../tools/statistics')
const { REFERENCES } = require('../studies/scaling')

/**
 * @param {object} results as run.js writes them
 * @returns {string}
 */
function summaryOf ({ node, machine, requests, rounds, date, commit, versions, rows = [] }) {
  const measured = rows.filter(({ section }) => section === 'work')
  return [
    '# Time per request',
    '',
    `The least ns per request: Node ${node}, ${machine}, ${requests} requests, ${rounds} rounds, ${date}, commit ${commit}, body-parser ${versions['body-parser']}. Read the ratios: the times are one machine's. \`npm run bench:report\` writes this file ([README](README.md)).`,
    '',
    `| request | ${REFERENCES.join(' | ')} | ours / body-parser |`,
    `|---${'|--:'.repeat(REFERENCES.length + 1)}|`,
    ...measured.map(({ name, results }) => `| ${[name, ...REFERENCES.map((one) => time(results[one])), ratio(results)].join(' | ')} |`),
    ''
  ].join('\n')
}

function time ({ times }) {
  return times === undefined ? '' : Math.round(min(times)).toLocaleString('en')
}

function ratio ({ ours, 'body-parser': theirs }) {
  return ours.times === undefined || theirs.times === undefined ? '' : (min(ours.times) / min(theirs.times)).toFixed(2)
}

module.exports = summaryOf
