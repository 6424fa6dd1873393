import { mount } from 'svelte';
import './app.css';
import './cards/cards.css';
import App from './App.svelte';
import { bestLanguage, LANGUAGES, useLanguage, type Language } from './lib/text/i18n/index.svelte';
import { prefs } from './lib/page/prefs.svelte';

const wished = () => (prefs.language in LANGUAGES ? (prefs.language as Language) : bestLanguage(navigator.languages));
const speak = () => useLanguage(wished()).catch(() => undefined);
await speak();
addEventListener('languagechange', () => void speak());
mount(App, { target: document.getElementById('app')! });
