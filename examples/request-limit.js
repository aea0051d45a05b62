'use strict'

// A limit for each request: by route, or by who sends it. What is known only
// later, such as the plan of a user, comes from a middleware before.

const express = require('express')
const bodyParser = require('fast-body-parser')

const PLANS = new Map([['free', '1kb'], ['pro', '1mb']])

const app = express()

app.use((req, res, next) => {
  req.plan = req.get('authorization') === 'Bearer pro' ? 'pro' : 'free' // as if from a database
  next()
})

app.use(bodyParser.json({ limit: (req) => req.path === '/avatar' ? '5mb' : PLANS.get(req.plan) }))

app.use((req, res) => {
  res.json({ plan: req.plan, bytes: JSON.stringify(req.body).length })
})

app.use((error, req, res, next) => {
  const { status = 500, type, limit } = error
  res.status(status).json({ error: { status, type, limit } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"user":"tobi"}'
  printf '[%02000d]' 0 | tr 0 1 | curl ${url} --json @-
  printf '[%02000d]' 0 | tr 0 1 | curl ${url} -H 'Authorization: Bearer pro' --json @-`)
  })
}
