#!/usr/bin/env node
'use strict'

// Writes llms.txt (https://llmstxt.org): the tasks of docs/README.md, for programs that read instead of people.

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')

/** @returns {string} what llms.txt has to say */
function createText () {
  const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
  const contents = fs.readFileSync(path.join(ROOT, 'docs/README.md'), 'utf8')
  const [, title, summary] = /^# (.*)\n\n(.*)\n/.exec(readme)
  const sections = contents.split(/^## /m).slice(1).map((section) => {
    const [heading, ...lines] = section.split('\n')
    const tasks = lines.filter((line) => line.startsWith('- '))
    return `## ${heading}\n\n${tasks.map(toItems).join('\n')}\n`
  })
  return `# ${title}\n\n> ${withoutLinks(summary)}\n\n${sections.join('\n')}`
}

/** Of a task, an item for each page and each program. */
function toItems (line) {
  const [, task, targets] = /^- (.*?): (\[.*)$/.exec(line)
  const links = Array.from(targets.matchAll(/\[(.*?)\]\((.*?)\)/g))
  return links.map(([, name, target]) => `- [${name}](${path.posix.join('docs', target)}): ${task}`).join('\n')
}

const withoutLinks = (text) => text.replace(/\[(.*?)\]\(.*?\)/g, '$1')

module.exports = createText

if (require.main === module) fs.writeFileSync(path.join(ROOT, 'llms.txt'), createText())
