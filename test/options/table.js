'use strict'

// The types and the pages have the options that lib/options/table.js lists, for
// the same parsers, with the same defaults.

const assert = require('node:assert/strict')
const path = require('node:path')
const ts = require('typescript')
const { readOptions } = require('../../lib/options/read-options')
const { ROWS: rows } = require('../../lib/options/table')
const VALUES = require('../support/option-values')
const { ROOT, read, sectionOf } = require('../support/pages')

const SHARED = 'types/shared.d.ts'
const TABLES = {
  custom: 'docs/other-types.md',
  multipart: 'docs/multipart.md',
  ndjson: 'docs/ndjson.md',
  jsonArray: 'docs/json-array.md'
}
const PARSERS = ['json', 'urlencoded', 'text', 'raw', 'custom']
const OF_BODY_PARSER = new Set([
  'charsetSentinel', 'defaultCharset', 'extended', 'inflate', 'interpretNumericEntities', 'limit', 'parameterLimit',
  'reviver', 'strict', 'type', 'urlencoded.depth', 'verify'
])
const isOurs = (name, parsers) => !OF_BODY_PARSER.has(name) && !OF_BODY_PARSER.has(`${parsers}.${name}`)
const names = (parser, isIncluded = () => true) =>
  rows.filter((row) => row.parsers.includes(parser) && isIncluded(row)).map(({ name }) => name).sort()

/** Interfaces and aliases of a file of types: name -> members of their own, and what they extend or are made of. */
function membersOf (file) {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
  const prefix = file === SHARED ? 'shared.' : ''
  const found = file === SHARED ? new Map() : membersOf(SHARED)
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node)) {
      found.set(prefix + node.name.text, {
        members: node.members.filter((member) => member.name !== undefined).map((member) => ({
          name: member.name.getText(),
          type: member.type?.getText() ?? '',
          comment: member.jsDoc?.map((comment) => comment.getText()).join('') ?? ''
        })),
        above: (node.heritageClauses ?? []).flatMap(({ types }) =>
          types.map(({ expression }) => prefix + expression.getText()))
      })
    } else if (ts.isTypeAliasDeclaration(node)) {
      const members = []
      const collect = (part) => {
        if (ts.isPropertySignature(part)) {
          members.push({
            name: part.name.getText(),
            type: part.type.getText(),
            comment: part.jsDoc?.map((comment) => comment.getText()).join('') ?? ''
          })
        } else ts.forEachChild(part, collect)
      }
      collect(node.type)
      const target = ts.isTypeReferenceNode(node.type) ? node.type.typeName.getText() : ''
      found.set(prefix + node.name.text, { members, above: target.startsWith('shared.') ? [target] : [] })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** What the interfaces of a parser have, but for what excludes an option. */
function optionsIn (found, interfaces) {
  const options = new Map()
  const add = (name) => {
    const { members, above } = found.get(name)
    for (const next of above) add(next)
    for (const { name, type, comment } of members) {
      if (comment === '' && /^(undefined|(false|true|'ignore') \| undefined)$/.test(type)) continue
      if (comment !== '' || !options.has(name)) options.set(name, comment)
    }
  }
  for (const name of interfaces) if (found.has(name)) add(name)
  return options
}

const INTERFACES = {
  json: ['OptionsJson', 'OptionsJsonWithoutReviver', 'OptionsJsonParse'],
  urlencoded: ['OptionsUrlencoded', 'OptionsUrlencodedParse', 'OptionsUrlencodedQs'],
  text: ['OptionsText'],
  raw: ['OptionsRaw'],
  custom: ['OptionsCustom', 'OptionsCustomBytes']
}

/** As a page or a comment writes a default: undefined if it is described in words. */
function defaultOf (parser, name) {
  const value = readOptions(parser,
    parser === 'custom' ? { type: 'a/b', parse: String } : { extended: name === 'depth' })[name]
  if (name === 'limit') return "'100kb'"
  if (name === 'drainLimit') return "'64mb'"
  if (name === 'extended') return 'false'
  if (value === undefined || value === null || name === 'minRate' || name === 'timeout') return 'none'
  return typeof value === 'string' ? `'${value}'` : String(value)
}

const IN_WORDS = ['empty', 'type'] // their default is described, not written

describe('the types and the pages, compared with the options:', () => {
  for (const [file, isIncluded] of [['index.d.ts', () => true], ['types/web.d.ts', ({ web }) => web !== 'refused']]) {
    const found = membersOf(file)
    for (const parser of file === 'index.d.ts' ? PARSERS : PARSERS.slice(0, -1)) {
      const options = optionsIn(found, INTERFACES[parser])

      it(`${file} has the options of ${parser}`, () =>
        assert.deepEqual([...options.keys()].sort(), names(parser, isIncluded)))

      it(`${file} has the defaults of ${parser}`, () => {
        for (const [name, comment] of options) {
          const [, text] = /@default (.*)/.exec(comment) ?? []
          if (text !== undefined && !IN_WORDS.includes(name)) {
            assert.ok(text.startsWith(defaultOf(parser, name)), `${name}: ${text}, not ${defaultOf(parser, name)}`)
          }
        }
      })
    }
  }

  const [, table] = /^### Options$([^]*?)^### /m.exec(read('README.md'))
  const cells = table.matchAll(/^\| (\[`.*?) \| .*? \| (.*?) \| (.*?) \|$/gm)
  const lines = Array.from(cells, ([, options, of, defaults]) => ({
    names: Array.from(options.matchAll(/`(\w+)`/g), ([, name]) => name),
    link: /\((.*?)\)/.exec(options)[1],
    isMarked: options.includes('\\*'),
    parsers: of === 'all' ? PARSERS : of.split(', '),
    defaults: defaults.split(', ')
  }))

  describe('the README', () => {
    it('has each option of each parser, but those of createParser alone', () => {
      for (const parser of PARSERS.slice(0, -1)) {
        assert.deepEqual(lines.filter(({ parsers }) => parsers.includes(parser)).flatMap(({ names }) => names).sort(),
          names(parser))
      }
      const ofAll = lines.filter(({ parsers }) => parsers === PARSERS).flatMap(({ names }) => names).sort()
      assert.deepEqual(ofAll, names('custom').filter((name) => !['charset', 'parse'].includes(name)))
    })

    it('marks those that are not in body-parser', () => {
      for (const { names, isMarked, parsers } of lines) {
        for (const name of names) {
          assert.equal(isMarked, isOurs(name, parsers), `${name}: the mark * of its row`)
        }
      }
    })

    it('has their defaults', () => {
      for (const { names, parsers, defaults } of lines) {
        for (const [index, name] of names.entries()) {
          if (IN_WORDS.includes(name)) continue
          for (const parser of parsers) {
            assert.equal((defaults[index] ?? defaults[0]).replaceAll('`', ''), defaultOf(parser, name), name)
          }
        }
      }
    })
  })

  describe('the pages', () => {
    it('have a section of each option, to which the README links', () => {
      for (const { names, link } of lines) {
        const [file, slug] = link.split('#')
        const section = slug === undefined ? read(file) : sectionOf(read(file), slug)
        for (const name of names) assert.match(section, new RegExp(`\\b${name}\\b`), `${link} lacks ${name}`)
      }
    })

    for (const [parser, file] of Object.entries(TABLES)) {
      it(`have in ${file} a row for each option that only such parsers have`, () => {
        const shared = new Set(PARSERS.slice(0, -1).flatMap((name) => names(name)))
        const described = new Set(Array.from(read(file).matchAll(/^\| (`.*?) \|/gm), ([, cell]) =>
          cell.split(', ')).flat())
        for (const name of names(parser).filter((name) => !shared.has(name))) {
          assert.ok(described.has(`\`${name}\``), name)
        }
      })
    }

    it('name the options that /web refuses', () => {
      const [, list] = /^- (.*) are a `TypeError`\.$/m.exec(read('docs/web.md'))
      const refused = Array.from(list.matchAll(/`(\w+)`/g), ([, name]) => name)
      assert.deepEqual(refused.sort(), rows.filter(({ web }) => web === 'refused').map(({ name }) => name).sort())
    })
  })
})

describe('the order of the options', () => {
  const PAIRS = [
    ['onProtoPoisoning', 'depth', 'a text that nests too deep is not parsed'],
    ['parse', 'strict', 'a function of the app gets no text that strict refuses'],
    ['strict', 'empty', 'no bytes are told from a text'],
    ['empty', 'cooperative', 'a small body is parsed by all other options of JSON'],
    ['cooperative', 'schema', 'a schema gets the body that all others give']
  ]

  for (const [inner, outer, why] of PAIRS) {
    it(`has ${inner} before ${outer}: ${why}`, () => {
      const order = rows.filter(({ load, parsers }) => load && parsers.includes('json')).map(({ name }) => name)
      assert.ok(order.includes(inner) && order.indexOf(inner) < order.indexOf(outer))
    })
  }
})

describe('an option of json that changes `parse`', () => {
  const DONE_BY_SLICES = ['depth', 'empty', 'onConstructorPoisoning', 'onProtoPoisoning', 'strict']
  const { excludes } = rows.find(({ name }) => name === 'cooperative')
  const { excludes: withoutParse } = rows.find(({ name, parsers }) => name === 'parse' && parsers.includes('json'))
  for (const { name, load, excludes: others } of rows.filter(({ load, name, parsers, web }) =>
    load && parsers.includes('json') && name !== 'cooperative' && web !== 'own')) {
    it(`has its effect on large bodies with cooperative, or excludes it: ${name}`, () => {
      const { parse, ...plain } = { parse: String, before: [], after: [], skip: [] }
      const extended = load()({ ...plain, parse }, readOptions('json', { [name]: VALUES[name] }))
      const isWrapped = extended.parse !== parse
      const isExcluded = excludes.includes(name) || others?.includes('cooperative')
      const isKnown = DONE_BY_SLICES.includes(name) || Boolean(isExcluded)
      assert.ok(!isWrapped || isKnown, 'slices call no `parse`: exclude cooperative, or see createParseLarge in ' +
        'formats/json/cooperative.js and DONE_BY_SLICES here')
    })

    it(`passes all arguments on to an app's parse, and its promise back, or excludes it: ${name}`, async () => {
      if (name === 'parse' || withoutParse.includes(name)) return
      const given = ['[1]', 'utf-8', {}, {}]
      const parse = async (...args) => args
      const draft = { parse, before: [], after: [], skip: [], wrapMiddleware: String }
      assert.deepEqual(await load()(draft, readOptions('json', { [name]: VALUES[name] })).parse(...given), given)
    })
  }
})

const LIB = path.join(ROOT, 'lib')
const FOLDER = path.join(LIB, 'options')

/** The files that the functions of a row load, in lib/; `load` is left out where /web implements the option itself. */
function filesOf (row, isOfWeb = false) {
  const functions = isOfWeb && row.web === 'own' ? [row.read, row.check] : [row.read, row.check, row.load]
  const ids = functions.flatMap((value) => Array.from(String(value).matchAll(/require\('(.*?)'\)/g), ([, id]) => id))
  return ids.map((id) => path.relative(LIB, require.resolve(path.join(FOLDER, id))).replaceAll(path.sep, '/'))
}

describe('the rows of lib/options', () => {
  const WEB = ['json', 'raw', 'text', 'urlencoded', 'multipart', 'ndjson', 'jsonArray']

  it('take null for no value, as the list says what that means', () => {
    // For these options null is wrong, or gives another object than the fallback.
    const OTHERS = ['fields', 'parameterLimit', 'path']
    for (const row of rows.filter((row) => 'fallback' in row && !OTHERS.includes(row.name))) {
      const value = row.read(null, row.name, row.fallback, { settings: {}, parserName: row.parsers[0] })
      assert.deepEqual(value, row.fallback, `${row.name} of ${row.parsers}`)
    }
  })

  it('have files that are left out of bundles for browsers where /web does not need them', () => {
    const { browser } = JSON.parse(read('package.json'))
    const isOfWeb = ({ parsers, web }) => web !== 'refused' && parsers.some((name) => WEB.includes(name))
    const needed = new Set(rows.filter(isOfWeb).flatMap((row) => filesOf(row, true)))
    const excluded = new Set(rows.flatMap((row) => filesOf(row)).filter((name) => !needed.has(name)))
    excluded.add('core/body/content-stage.js') // option empty has it for the middleware alone
    excluded.add('core/request/drain.js') // closes connections of Node's server
    excluded.add('uploads/storage/disk.js') // multipart.disk needs a file system
    assert.deepEqual(browser, Object.fromEntries([...excluded].sort().map((name) => [`./lib/${name}`, false])))
  })
})
