import { MAX_MESSAGE } from '../../ids';
import type { Preset, Refusal, Request, Setting, SettingId, Settings, SettingValue } from '../../protocol';
import { api, ApiError } from '../net/api';
import { catalog } from './catalog.svelte';
import type { TableSession } from './session.svelte';
import { withPreset } from './presets';
import { chosen, withValue } from './settings';

/** How long a number may still change before it is sent, in milliseconds. */
const PAUSE = 350;
/** What a message needs around a request. */
const ROOM = 40;

const pathOf = (id: SettingId) => catalog()?.settings.find((setting) => setting.id === id)?.path ?? [];

type Wishes = Partial<Record<SettingId, SettingValue>>;

/** What a host has changed and the server has not answered yet. */
export class Draft {
  /** Why the last change was refused. */
  refusal = $state.raw<Refusal | null>(null);
  /** Whether something went wrong that the server does not know of. */
  failed = $state(false);

  readonly #session: TableSession;
  #wishes = $state.raw<Wishes>({});
  #choosing = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: TableSession) {
    this.#session = session;
  }

  /** Whether changes wait for an answer. */
  get pending(): boolean {
    return this.#choosing || Object.keys(this.#wishes).length > 0;
  }

  /** The value of a setting as the host has chosen it. */
  value(setting: Setting, settings: Settings): SettingValue {
    const wish = this.#wishes[setting.id];
    return wish === undefined ? chosen(setting, settings) : wish;
  }

  /** Changes a setting: at once, but for numbers, of which there may be more to come. */
  set(setting: Setting, value: SettingValue): void {
    this.#wishes = { ...this.#wishes, [setting.id]: value };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#send(), setting.type === 'number' ? PAUSE : 0);
  }

  /** Changes everything a preset says at once. */
  async choose(preset: Preset): Promise<void> {
    const terms = this.#session.latest.terms;
    if (!terms) return;
    [this.refusal, this.failed, this.#choosing] = [null, false, true];
    await this.#put(withPreset(terms.settings, preset));
    this.#choosing = false;
  }

  async #send(): Promise<void> {
    const sent = this.#wishes;
    [this.refusal, this.failed] = [null, false];
    const entries = Object.entries(sent) as [SettingId, SettingValue][];
    await Promise.all(entries.map(([setting, value]) => this.#ask({ type: 'set', setting, value })));
    // What was changed again meanwhile has still to be answered.
    const left = Object.entries(this.#wishes).filter(([id, value]) => sent[id as SettingId] !== value);
    this.#wishes = Object.fromEntries(left) as Wishes;
  }

  /** Asks for a change; one that is too long for a message goes by HTTP. */
  async #ask(request: Extract<Request, { type: 'set' }>): Promise<void> {
    const { length } = new TextEncoder().encode(JSON.stringify(request));
    const terms = this.#session.latest.terms;
    if (length + ROOM <= MAX_MESSAGE || !terms) {
      const answer = await this.#session.request(request);
      if (!answer.ok) this.refusal = answer.refusal;
      return;
    }
    await this.#put(withValue(terms.settings, pathOf(request.setting), request.value));
  }

  async #put(settings: Settings): Promise<void> {
    try {
      await api.putSettings(this.#session.code, settings);
    } catch (error) {
      if (error instanceof ApiError && error.refusal) this.refusal = error.refusal;
      else this.failed = true;
    }
  }
}
