'use strict'

// A parser that goes wrong after some requests, as the variable FAULT says.

const AFTER = 50 // requests
let requests = 0

exports.json = () => (req, res, next) => {
  let text = ''
  req.setEncoding('utf8')
  req.on('data', (chunk) => { text += chunk })
  req.on('end', () => {
    req.body = JSON.parse(text)
    const fault = requests++ < AFTER ? 'none' : process.env.FAULT
    if (fault === 'die') process.exit(3)
    if (fault === 'corrupt') req.body.last = 'changed!'
    next()
  })
}
