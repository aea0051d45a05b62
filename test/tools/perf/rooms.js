'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { describe, it } = require('mocha')

const PERF = path.join(__dirname, '../../../perf')

// A room may import from those further down in this list, and from tools/.
const ROOMS = ['fairness', 'runner', 'self-test', 'report', 'results', 'targets', 'load', 'scenarios', 'statistics']

describe('perf/', () => {
  it('has rooms whose imports go one way', () => {
    const upwards = ROOMS.flatMap((room, rank) => filesOf(path.join(PERF, room)).flatMap((file) =>
      importsOf(file).filter((imported) => rankOf(imported) < rank).map((imported) => `${path.relative(PERF, file)} imports ${path.relative(PERF, imported)}`)))
    assert.deepEqual(upwards, [])
  })

  it('has no other rooms', () => {
    const folders = fs.readdirSync(PERF, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
    assert.deepEqual(folders.filter((name) => !['comparisons', 'node_modules', 'output'].includes(name)).sort(), [...ROOMS].sort())
  })

  it('has a line in the file map for every file', () => {
    const map = fs.readFileSync(path.join(PERF, 'README.md'), 'utf8')
    const files = ROOMS.flatMap((room) => filesOf(path.join(PERF, room))).map((file) => path.basename(file, '.js'))
    assert.deepEqual(files.filter((name) => name !== 'index' && !map.includes(`\`${name}\``)), [])
  })
})

function filesOf (folder) {
  return fs.readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js')).map((file) => path.join(folder, file))
}

function importsOf (file) {
  const imports = fs.readFileSync(file, 'utf8').matchAll(/require\('(\.[^']*)'\)/g)
  return [...imports].map(([, name]) => path.resolve(path.dirname(file), name))
}

/** Commands are above all rooms; the defaults and tools/ below. */
function rankOf (file) {
  const [room] = path.relative(PERF, file).split(path.sep)
  return room === '..' || room === 'defaults' ? Infinity : ROOMS.indexOf(room)
}
