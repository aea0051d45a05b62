'use strict'

// The command line: arguments become a report and an exit code.

const path = require('node:path')
const { parseArgs } = require('node:util')
const { adviceOf } = require('./advice')
const { judge, readExpectation } = require('./judge')
const { REPLACEABLE } = require('./packages')
const { findProject } = require('./project')
const { findUses } = require('./uses')
const textOf = require('./text')

const HELP = `Usage: npx fast-body-parser [folder] [--expect[=body-parser,multer]] [--json]
       npx fast-body-parser [folder] --write [--only=multer] [--dry-run] [--force]
       npx fast-body-parser [folder] --undo [--only=multer] [--dry-run] [--force]

Says which body-parser and which multer Express, NestJS, Koa and every other package of a
project get, from where and in which version; whether an override took effect; where there
are two copies; and what to write into package.json. Without --write and --undo, it reads
files and changes nothing.

  folder        of the project, or one inside it (default: this one)
  --expect      exit with 1 unless everything that package.json replaces is replaced
  --expect=...  exit with 1 unless each package gets fast-body-parser in place of these:
                body-parser, multer, with a major version or without one (body-parser@2)
  --json        print the report as JSON
  --write       write the lines that replace body-parser and multer into package.json (and
                pnpm-workspace.yaml), install, and check; if that fails, all is as it was
  --undo        take these lines out again, and install
  --only=...    body-parser or multer alone
  --dry-run     print the lines that would change, and change nothing
  --force       change a file although git has changes of it that are not committed
  --help, -h    print this text
`
const OF_WRITE = ['only', 'dry-run', 'force']

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {object} [options]
 * @param {(text: string) => void} [options.print] gets what --write and --undo say, as they go on
 * @param {(project: import('./project').Project) => void} [options.install] for tests
 * @returns {{ status: number, text: string }} status: 0, or 1 if something is not as `--expect` or `--write` wants it
 * @throws {Error} if the arguments are wrong, or there is no project
 */
function run (args, cwd, options = {}) {
  const { folder, expect, json, help, write, undo, ...rest } = readArguments(args, cwd)
  if (help) return { status: 0, text: HELP }
  if (write || undo) return change({ folder, undo, ...rest }, options)
  const project = findProject(folder)
  const report = judge(project, findUses(project), expect)
  report.advice = adviceOf(project, report)
  const text = json ? `${JSON.stringify(report, null, 2)}\n` : textOf(project, report)
  return { status: expect !== undefined && report.faults.length > 0 ? 1 : 0, text: printable(text) }
}

function change ({ folder, undo, only, force, 'dry-run': dryRun }, { print, install }) {
  const write = require('./write')
  let text = ''
  const collect = (part) => { text += printable(part) }
  const tell = print === undefined ? collect : (part) => print(printable(part))
  const status = write({ folder, undo, only, force, dryRun }, install ?? require('./write/install'), tell)
  return { status, text }
}

/** What a package.json has as a name may be an escape sequence, which a terminal would follow. */
function printable (text) {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, (character) => character.split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''))
}

function readArguments (args, cwd) {
  const flags = ['json', 'write', 'undo', 'dry-run', 'force']
  const options = {
    ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' }])),
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' }
  }
  // parseArgs has no options whose value may be left out.
  const expect = args.filter((arg) => /^--expect(=|$)/.test(arg)).at(-1)
  const rest = args.filter((arg) => !/^--expect(=|$)/.test(arg))
  const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true })
  if (positionals.length > 1) throw new Error(`one folder at a time, not ${positionals.join(' ')}`)
  refuseTogether(values, expect)
  const expected = expect === undefined ? undefined : readExpectation(expect.slice('--expect='.length))
  return { folder: path.resolve(cwd, positionals[0] ?? '.'), expect: expected, ...values }
}

function refuseTogether (values, expect) {
  const { write, undo, json, only } = values
  if (write && undo) throw new Error('--write cannot be combined with --undo')
  if ((write || undo) && (json || expect !== undefined)) {
    throw new Error('--write and --undo print no report: leave out --json and --expect')
  }
  const idle = OF_WRITE.find((name) => values[name] !== undefined)
  if (!write && !undo && idle !== undefined) throw new Error(`--${idle} needs --write or --undo`)
  if (only !== undefined && !REPLACEABLE.includes(only)) {
    throw new Error(`--only takes body-parser or multer, not ${only}`)
  }
}

module.exports = { printable, run }
