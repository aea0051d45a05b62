'use strict'

// The page of --report. It loads no script, font or image.

const { commitText } = require('../tools/machine')
const { comparisonText, resultText } = require('./text')

const STYLE = 'body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem }\npre { font-size: 13px; overflow-x: auto }'

const escape = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * @param {object[]} results of A, or of A and B
 * @param {object | null} comparison of both
 * @returns {string} HTML
 */
module.exports = function reportPage (results, comparison) {
  const title = comparison === null ? 'Load test' : 'Load test: target B against target A'
  const verdicts = comparison === null ? [] : [comparison.verdict.text]
  const about = results.map(({ target, date, commit, serverMetadata: { cpu, platform } }) => `Target ${target}: ${date}, commit ${commitText(commit)} of the working tree, ${cpu}, ${platform}`)
  const paragraphs = [...verdicts, ...about].map((text) => `<p>${escape(text)}</p>`).join('\n')
  const figures = escape(comparison === null ? resultText(results[0]) : comparisonText(comparison))
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n<link rel="icon" href="data:,">\n<style>\n${STYLE}\n</style>\n</head>\n<body>\n<h1>${title}</h1>\n${paragraphs}\n<pre>${figures}</pre>\n</body>\n</html>\n`
}
