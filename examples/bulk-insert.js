'use strict'

// A bulk insert into SQLite (Node.js 22.13 and newer): one transaction for each
// 500 records. While the database is busy, the client has to wait.

const { setTimeout: delay } = require('node:timers/promises')
const express = require('express')
const bodyParser = require('fast-body-parser')

const sqlite = process.getBuiltinModule?.('node:sqlite')
if (sqlite === undefined) throw new Error(`bulk-insert.js needs Node.js 22.13 or newer, which has SQLite, not ${process.version}`)

const SLOW = Number(process.env.SLOW ?? 0) // ms for each transaction
const WIDTH = 40 // characters of the progress bar
const database = new sqlite.DatabaseSync(process.env.DATABASE ?? ':memory:')
database.exec('CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT')
const count = database.prepare('SELECT count(*) AS total FROM users')
const insert = database.prepare('INSERT INTO users (name) VALUES (?)')

const app = express()

const parse = bodyParser.ndjson({ limit: '1gb', record: '10kb' })

app.post('/bulk', async (req, res) => {
  const records = await parse.read(req, res)
  for await (const list of records.batches(500)) {
    insertAll(list)
    showProgress(records, req.headers['content-length'])
    await delay(SLOW)
  }
  res.status(201).json({ inserted: records.count, total: count.get().total })
})

function insertAll (records) {
  database.exec('BEGIN')
  try {
    for (const { name } of records) insert.run(name)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Writes one line of a terminal anew. A client that does not know the length of its body sends none. */
function showProgress ({ count, received }, length) {
  if (!process.stderr.isTTY) return
  const share = Number(length) > 0 ? received / length : 0
  const bar = '#'.repeat(share * WIDTH).padEnd(WIDTH, '.')
  process.stderr.write(`\r${bar} ${Math.floor(share * 100)} %, ${received} bytes, ${count} records`)
}

app.use((error, req, res, next) => {
  const { status = 500, type, line } = error
  res.status(status).json({ error: { status, type, line } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/bulk`
    console.log(`seq 100000 | sed 's/.*/{"name":"user &"}/' | curl -X POST -T - -H 'Content-Type: application/x-ndjson' ${url}`)
  })
}
