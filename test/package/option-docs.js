'use strict'

// What an editor shows of an option: the comments in the types.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const ROOT = path.join(__dirname, '../..')
const EXCLUDED = /^(undefined|(false|true|'ignore') \| undefined|false)$/ // an option that another one excludes

/** The members of all types that are called Options or Options..., with their comments. */
function optionsOf (name) {
  const file = ts.createSourceFile(name, fs.readFileSync(path.join(ROOT, name), 'utf8'), ts.ScriptTarget.Latest, true)
  const options = []
  visit(file, '')
  return options

  function visit (node, owner) {
    const own = /^(Options|With)/.test(node.name?.text ?? '') ? node.name.text : owner
    if (own !== '' && node.parent?.kind !== ts.SyntaxKind.Parameter &&
      (ts.isPropertySignature(node) || ts.isMethodSignature(node)) && !isInside(node)) {
      options.push({
        name: `${own}.${node.name.getText()}`,
        type: node.type?.getText() ?? '',
        isRequired: node.questionToken === undefined,
        comment: node.jsDoc?.map((comment) => comment.getText()).join('') ?? ''
      })
    }
    ts.forEachChild(node, (child) => visit(child, own))
  }
}

/** Within the type of an option, such as the context of `parse`. */
function isInside (node) {
  for (let above = node.parent; above !== undefined; above = above.parent) {
    if (ts.isPropertySignature(above) || ts.isMethodSignature(above)) return true
  }
  return false
}

for (const [file, least] of [['index.d.ts', 25], ['types/shared.d.ts', 20], ['types/web.d.ts', 5]]) {
  describe(`the comments of ${file}`, () => {
    const options = optionsOf(file).filter(({ type }) => !EXCLUDED.test(type))

    it('describe every option', () => {
      assert.ok(options.length > least)
      assert.deepEqual(options.filter(({ comment }) => comment === '').map(({ name }) => name), [])
    })

    it('tell the default of every option that need not be given', () => {
      assert.deepEqual(options.filter(({ comment, isRequired }) => !isRequired && !comment.includes('@default'))
        .map(({ name }) => name), [])
    })
  })
}
