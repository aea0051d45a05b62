'use strict'

// Reads pnpm-workspace.yaml as far as it counts here: the list `packages` and the map `overrides`, as lines or in
// brackets. Anchors and aliases are not followed.

const KEY = String.raw`(?:"([^"]*)"|'([^']*)'|([^\s"'#{}[\],][^#{}[\],]*?))`
const TOP = new RegExp(`^${KEY}\\s*:(?:\\s+(.*))?$`)
const PAIR = new RegExp(`^\\s+${KEY}\\s*:\\s+(?:"([^"]*)"|'([^']*)'|(.+?))\\s*(?:\\s#.*)?$`)
const ITEM = /^\s*-\s+(?:"([^"]*)"|'([^']*)'|(.+?))\s*(?:\s#.*)?$/
const FLOW_ITEM = /"([^"]*)"|'([^']*)'|([^\s,[\]][^,[\]]*)/g
const FLOW_PAIR = new RegExp(`${KEY}\\s*:\\s*(?:"([^"]*)"|'([^']*)'|([^\\s,{}][^,{}]*))`, 'g')

const one = (...texts) => texts.find((text) => text !== undefined)?.trim()

/**
 * @param {string} text
 * @returns {{ packages: string[], overrides: Record<string, string> | undefined }} undefined where there are none
 */
function readYaml (text) {
  const packages = linesOf(text, 'packages')
  const overrides = linesOf(text, 'overrides')
  return { packages: packages === undefined ? [] : itemsOf(packages), overrides: overrides && pairsOf(overrides) }
}

/** @returns {string[] | undefined} what stands behind a key and in the lines below it */
function linesOf (text, key) {
  let found
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, double, single, plain, rest = ''] = TOP.exec(line) ?? []
    const name = one(double, single, plain)
    if (found !== undefined && name !== undefined) break
    if (name === key) found = [rest.replace(/(?:^|\s)#.*$/, '')]
    else if (found !== undefined) found.push(line)
  }
  return found
}

function itemsOf ([first, ...lines]) {
  if (first.startsWith('[')) return allOf([first, ...lines], FLOW_ITEM, ([, ...texts]) => one(...texts))
  return lines.map((line) => ITEM.exec(line)).filter(Boolean).map(([, ...texts]) => one(...texts))
}

function pairsOf ([first, ...lines]) {
  const pair = ([, ...texts]) => [one(...texts.slice(0, 3)), one(...texts.slice(3))]
  if (first.startsWith('{')) return Object.fromEntries(allOf([first, ...lines], FLOW_PAIR, pair))
  return Object.fromEntries(lines.map((line) => PAIR.exec(line)).filter(Boolean).map(pair))
}

const allOf = (lines, expression, map) =>
  Array.from(lines.join('\n').replace(/\s#.*$/gm, '').matchAll(expression), map)

module.exports = readYaml
