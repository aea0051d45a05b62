'use strict'

// The page of --report. It loads no script, font or image.

const { commitText } = require('../tools/machine')
const { comparedRows, figure, percent, skippedLines, targetText } = require('./text')
const metrics = require('./metrics')

const STYLE = `body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #212529 }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #dee2e6 }
td:first-child, th:first-child { text-align: left }
.verdict { font-weight: bold }
svg { width: 20rem; height: 1.2rem; display: block }`

const escape = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The last column may hold HTML. */
function table (head, rows) {
  const line = (cells, name) => `<tr>${cells.map((cell) => `<${name}>${cell.html ?? escape(cell)}</${name}>`).join('')}</tr>`
  return `<table><thead>${line(head, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`
}

/** B / A with its interval on a scale from -20 % to +20 %; the threshold is shaded. */
function intervalBar ({ ratio, interval: { low, high } }, threshold) {
  const at = (value) => Math.max(0, Math.min(200, 100 + (value - 1) * 500))
  return `<svg viewBox="0 0 200 12" role="img"><title>${percent(ratio)}</title><rect x="${at(1 - threshold / 100)}" width="${at(1 + threshold / 100) - at(1 - threshold / 100)}" height="12" fill="#dee2e6"/>` +
    `<line x1="100" x2="100" y2="12" stroke="#868e96"/><line x1="${at(low)}" x2="${at(high)}" y1="6" y2="6" stroke="#0b7285" stroke-width="2"/><circle cx="${at(ratio)}" cy="6" r="3.5" fill="#0b7285"/></svg>`
}

/**
 * @param {object[]} results of A, or of A and B
 * @param {object | null} comparison of both
 * @returns {string} HTML
 */
module.exports = function reportPage (results, comparison) {
  const title = comparison === null ? 'Load test' : 'Load test: target B against target A'
  const { skipped, scenarios } = comparison ?? results[0]
  const body = [
    `<h1>${title}</h1>`,
    ...comparison === null ? [] : overview(comparison),
    ...skippedLines(skipped).map((line) => `<p>${escape(line)}</p>`),
    ...scenarios.flatMap((scenario) => [`<h2>${escape(scenario.name)}</h2><p>${escape(scenario.about)}</p>`, ...scenario.warnings.map((warning) => `<p>${escape(warning)}</p>`),
      comparison === null ? averages(results[0].serverResults[scenario.name]) : compared(scenario)]),
    '<h2>What was run on what</h2>',
    table(['', ...results.map((_, i) => 'AB'[i])], [
      ['packages', ...results.map(({ resolved, serverMetadata: { node } }) => targetText({ resolved, node }))],
      ['commit of the working tree', ...results.map(({ commit }) => commitText(commit))],
      ['machine', ...results.map(({ serverMetadata: { cpu, platform } }) => `${cpu}, ${platform}`)],
      ['date', ...results.map(({ date }) => date)]
    ])
  ]
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n<link rel="icon" href="data:,">\n<style>\n${STYLE}\n</style>\n</head>\n<body>\n${body.join('\n')}\n</body>\n</html>\n`
}

function overview ({ scenarios, verdict, settings: { level, threshold } }) {
  return [
    `<p class="verdict">${escape(verdict.text)}</p>`,
    table(['CPU time per request', 'B / A', `${(level * 100).toFixed(1)} % interval`, ''], scenarios.map(({ name, ratios: { cpu } }) =>
      [name, percent(cpu.ratio), `${percent(cpu.interval.low)} to ${percent(cpu.interval.high)}`, { html: intervalBar(cpu, threshold) }]))
  ]
}

function averages (figures) {
  return table(['', 'A'], metrics.map(({ key, label, unit }) => [label, figure(figures[key], unit)]))
}

function compared (scenario) {
  const { head, rows } = comparedRows(scenario)
  return `<p class="verdict">${escape(scenario.verdict.text)}</p>${table(head, rows)}`
}
