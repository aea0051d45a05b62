'use strict'

// Reads the Markdown of the repository: sections, code blocks, and the anchors that GitHub gives to headings.

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '../..')

/** @param {string} name from the root, such as `docs/json.md` */
const read = (name) => fs.readFileSync(path.join(ROOT, name), 'utf8')

/** @returns {{ language: string, code: string }[]} */
const blocksOf = (text) =>
  Array.from(text.matchAll(/^```(.*)\n([^]*?)^```$/gm), ([, language, code]) => ({ language, code }))

/** What GitHub makes of a heading; an element such as `<a id="...">` in it counts for nothing. */
const slugOf = (heading) => heading.replace(/<.*?>/g, '').toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-')

/** All that a link to a page may have behind its `#`. */
function anchorsOf (text) {
  const prose = text.replace(/^```[^]*?^```$/gm, '')
  return [
    ...Array.from(prose.matchAll(/^#+ (.*)/gm), ([, heading]) => slugOf(heading)),
    ...Array.from(prose.matchAll(/<a id="(.*?)">/g), ([, id]) => id)
  ]
}

/** The text under a heading, up to the next one of any level. */
function sectionOf (text, slug) {
  const sections = text.split(/^(?=#+ )/m)
  const section = sections.find((section) => slugOf(/^#+ (.*)/.exec(section)?.[1] ?? '') === slug)
  if (section === undefined) throw new Error(`no heading has the anchor #${slug}`)
  return section
}

module.exports = { ROOT, anchorsOf, blocksOf, read, sectionOf, slugOf }
