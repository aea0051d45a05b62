'use strict'

const Sentry = require(process.env.SENTRY)
const events = []

Sentry.init({
  dsn: 'http://key@127.0.0.1/1',
  sendDefaultPii: true, // or it takes no bodies
  integrations: (defaults) => defaults.filter(({ name }) => name !== 'Dedupe'), // the errors are alike
  transport: () => ({ send: async () => ({}), flush: async () => true }),
  beforeSend (event) {
    events.push({ message: event.exception.values[0].value, data: event.request.data })
    return null
  }
})

require('./serve')({
  mount: (app) => Sentry.setupExpressErrorHandler(app),
  read: async () => {
    await Sentry.flush(1000)
    return events.splice(0)
  }
})
