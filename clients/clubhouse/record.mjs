import Clubhouse from "clubhouse-lib";

// record gives the methods of a client. It prints all of them, such as
// {"method":"getEpic","httpMethod":"GET","path":"/epics/{}","status":0}, and again with the status
// and the text of the answer whenever one was called. Each returns the parsed answer.
export function record(baseURL, token) {
  const client = Clubhouse.create(token, { baseURL, version: "v3" });
  const fetch = client.requestPerformer.performRequest;
  let answered;
  client.requestPerformer.performRequest = async (request) => {
    const response = await fetch(request);
    answered = { status: response.status, body: await response.text() };
    const { ok, status, statusText } = response;
    return { ok, status, statusText, json: async () => JSON.parse(answered.body) };
  };
  const api = {};
  for (const operation of operations()) {
    print({ ...operation, status: 0 });
    api[operation.method] = async (...args) => {
      const answer = await client[operation.method](...args).catch((error) => {
        const { status, body } = answered; // the client loses what the server said
        throw Object.assign(new Error(`${operation.method}: ${error.message}: ${body}`), { status, data: JSON.parse(body) });
      });
      print({ ...operation, ...answered });
      return answer;
    };
  }
  return api;
}

// operations lists what each method of the client would send, with {} for every id.
function operations() {
  let sent;
  const factory = { createRequest: (uri, httpMethod = "GET") => ({ httpMethod, path: "/" + uri }) };
  const performer = { performRequest: (request) => ((sent = request), new Promise(() => {})) };
  const client = new Clubhouse(factory, performer, {});
  const transport = ["constructor", "listResource", "getResource", "createResource", "updateResource", "deleteResource"];
  const methods = Object.getOwnPropertyNames(Clubhouse.prototype).filter((name) => !transport.includes(name));
  return methods.map((method) => {
    client[method](...Array(client[method].length).fill("{}"));
    return { method, ...sent };
  });
}

function print(line) {
  console.log(JSON.stringify(line));
}
