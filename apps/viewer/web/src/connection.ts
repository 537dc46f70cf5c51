// The live connection: what the program says goes into the model, what the page wants goes to the program.
import type { Latency } from './latency';
import { shown, type Model } from './model';
import { decode, type Command, type TextMessage } from './protocol';

const firstPause = 400; // before trying again [ms]
const longestPause = 8000;

export class Connection {
  private socket: WebSocket | null = null;
  private seq = 0;
  private pause = firstPause;

  constructor(
    private readonly model: Model,
    private readonly latency: Latency,
  ) {
    model.send = (command) => this.send(command);
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => {
      if (typeof event.data === 'string') this.hear(event.data);
      else this.take(event.data as ArrayBuffer);
    };
    socket.onclose = () => this.closed();
    this.socket = socket;
  }

  private opened(): void {
    this.pause = firstPause;
    this.latency.forget();
    this.state('open');
    this.send({ type: 'select', body: null });
    this.send({ type: 'show', ...shown(this.model.options) });
  }

  private closed(): void {
    this.state('lost');
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(1.7 * this.pause, longestPause);
  }

  private state(connection: Model['connection']): void {
    if (this.model.connection === connection) return;
    this.model.connection = connection;
    this.model.emit('connection', connection);
  }

  private send(command: Command): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (command.type === 'ack') {
      this.socket.send(JSON.stringify(command));
      return;
    }
    const seq = ++this.seq;
    this.socket.send(JSON.stringify({ ...command, seq }));
    this.latency.sent(seq);
  }

  private take(data: ArrayBuffer): void {
    try {
      const message = decode(data);
      if (message.kind === 'SCEN') {
        this.model.takeScene(message);
        return;
      }
      // At once: the program sends the next frame when it knows that this one has come, drawn or not.
      this.send({ type: 'ack', frame: message.header.frame });
      this.model.emit('frame', message);
      if (message.header.echo !== undefined) this.latency.echoed(message.header.echo);
    } catch (error) {
      this.model.emit('error', `The program said what this page does not understand: ${(error as Error).message}`);
    }
  }

  private hear(text: string): void {
    const model = this.model;
    const message = JSON.parse(text) as TextMessage;
    switch (message.type) {
      case 'hello':
        model.client = message.client;
        model.program = message.program;
        if (message.version !== 1)
          model.emit('error', `The program speaks version ${message.version}, this page version 1: reload the page.`);
        break;
      case 'status':
        model.status = message;
        model.emit('status', message);
        break;
      case 'fields':
        if (message.body === null) model.worldFields = message;
        else if (message.body === model.selected?.id) model.bodyFields = message;
        model.emit('fields', message);
        break;
      case 'error':
        model.emit('error', message.message);
        break;
      case 'notice':
        model.emit('notice', message.message);
        break;
    }
  }
}
