use super::scenario::Reading;
use holdover_runs::{RequestId, Response, STREAM_HEADERS};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;

/// Longer texts are compared by their length.
const TEXT_SHOWN_MAX: usize = 200;

/// The clients, in the order of their steps, with what each has got.
#[derive(Default)]
pub(super) struct Clients(Vec<Client>);

struct Client {
    name: String,
    signal: Option<String>,
    reading: Option<Reading>,
    got: Got,
}

enum Got {
    Nothing,
    Abandoned,
    Response(Response),
    Stream(Stream),
    Alarm { ok: bool },
}

#[derive(Default)]
struct Stream {
    frames: Vec<Value>,
    unread: VecDeque<String>,
    closed: bool,
    dropped: bool,
}

impl Clients {
    /// A new client, and its number for the coordinator.
    pub(super) fn add(
        &mut self,
        name: String,
        signal: Option<String>,
        reading: Option<Reading>,
    ) -> RequestId {
        self.0.push(Client { name, signal, reading, got: Got::Nothing });
        RequestId(self.0.len() as u64 - 1)
    }

    pub(super) fn named(&self, name: &str) -> Option<RequestId> {
        self.0.iter().position(|client| client.name == name).map(|at| RequestId(at as u64))
    }

    pub(super) fn with_signal(&self, signal: &str) -> Vec<RequestId> {
        let at = |(at, client): (usize, &Client)| {
            (client.signal.as_deref() == Some(signal)).then_some(RequestId(at as u64))
        };
        self.0.iter().enumerate().filter_map(at).collect()
    }

    pub(super) fn respond(&mut self, id: RequestId, response: Response) {
        self.client(id).got = Got::Response(response);
    }

    pub(super) fn alarm(&mut self, id: RequestId, ok: bool) {
        self.client(id).got = Got::Alarm { ok };
    }

    pub(super) fn open(&mut self, id: RequestId) {
        self.client(id).got = Got::Stream(Stream::default());
    }

    /// Delivers a frame; answers how many bytes were read at once.
    pub(super) fn frame(&mut self, id: RequestId, frame: String) -> u64 {
        let client = self.client(id);
        let manual = client.reading.is_some();
        let Got::Stream(stream) = &mut client.got else { return 0 };
        stream.unread.push_back(frame);
        if manual { 0 } else { stream.read(1) }
    }

    pub(super) fn read(&mut self, id: RequestId, chunks: usize) -> u64 {
        match &mut self.client(id).got {
            Got::Stream(stream) => stream.read(chunks),
            _ => 0,
        }
    }

    pub(super) fn close(&mut self, id: RequestId) {
        if let Got::Stream(stream) = &mut self.client(id).got {
            stream.closed = true;
        }
    }

    /// The process died: nothing open is ever answered.
    pub(super) fn abandon(&mut self) {
        for client in &mut self.0 {
            match &mut client.got {
                Got::Nothing => client.got = Got::Abandoned,
                Got::Stream(stream) => stream.dropped = !stream.closed,
                _ => {}
            }
        }
    }

    pub(super) fn outcome(self) -> Vec<Value> {
        self.0.into_iter().map(Client::outcome).collect()
    }

    /// Numbers are given here, so a number that is not here cannot come back.
    fn client(&mut self, id: RequestId) -> &mut Client {
        &mut self.0[id.0 as usize]
    }
}

impl Stream {
    fn read(&mut self, chunks: usize) -> u64 {
        let frames: Vec<String> = self.unread.drain(..chunks.min(self.unread.len())).collect();
        self.frames.extend(frames.iter().map(|frame| parse(frame)));
        frames.iter().map(|frame| frame.len() as u64).sum()
    }
}

impl Client {
    fn outcome(self) -> Value {
        let mut result = match self.got {
            Got::Nothing => json!({ "pending": true }),
            Got::Abandoned => json!({ "abandoned": true }),
            Got::Response(Response { status, body }) => json!({ "status": status, "body": body }),
            Got::Alarm { ok } => json!({ "status": if ok { "ok" } else { "failed" } }),
            Got::Stream(stream) => {
                let header =
                    |name| STREAM_HEADERS.iter().find(|header| header.0 == name).map(|header| header.1);
                let mut result = json!({
                    "status": 200,
                    "frames": stream.frames,
                    "closed": stream.closed && stream.unread.is_empty(),
                    "headers": {
                        "cache_control": header("Cache-Control"),
                        "nosniff": header("X-Content-Type-Options"),
                    },
                });
                if stream.dropped {
                    result["dropped"] = json!(true);
                }
                result
            }
        };
        result["id"] = json!(self.name);
        result
    }
}

/// A frame as the files show it.
fn parse(frame: &str) -> Value {
    let mut shown = Map::new();
    for line in frame.trim_end().lines() {
        let (name, text) = line.split_once(": ").unwrap_or((line, ""));
        let value = match name {
            "id" => text.parse::<u64>().map_or(Value::Null, Value::from),
            "data" => short(serde_json::from_str(text).unwrap_or(Value::Null)),
            _ => Value::from(text),
        };
        shown.insert(name.to_owned(), value);
    }
    Value::Object(shown)
}

fn short(mut data: Value) -> Value {
    let length = data.get("text").and_then(Value::as_str).map(|text| text.encode_utf16().count());
    if let (Some(length), Some(members)) =
        (length.filter(|length| *length > TEXT_SHOWN_MAX), data.as_object_mut())
    {
        members.remove("text");
        members.insert("text_bytes".into(), length.into());
    }
    data
}
