import { en, type Messages } from './en';
export const zh: Messages = en;
