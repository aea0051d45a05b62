'use strict'

const { listen } = require('../../tools/local-server')

/** Serves on the loopback interface until `act` has ended; then ends its connections, but for those of HTTP/2. */
module.exports = async function serving (server, act) {
  const port = await listen(server)
  try {
    return await act(port)
  } finally {
    server.close()
    server.closeAllConnections?.()
  }
}
