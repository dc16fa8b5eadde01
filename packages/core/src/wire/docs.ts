import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The guide and the reference: static pages of ours, without a token like every static file. */
export const docEndpoints = {
  readGuide: endpoint({
    method: 'GET',
    path: '/docs',
    who: 'public',
    summary: 'The guide, or search results in it.',
    query: z.strictObject({ q: z.string().max(500).optional().describe('What to look for.') }),
    answers: { 200: 'text' },
  }),
  readGuidePage: endpoint({
    method: 'GET',
    path: '/docs/:page',
    who: 'public',
    summary: 'A page of the guide.',
    answers: { 200: 'text' },
  }),
  readReferencePage: endpoint({
    method: 'GET',
    path: '/docs/reference/:page',
    who: 'public',
    summary: 'A page of the reference.',
    answers: { 200: 'text' },
  }),
  getPicture: endpoint({
    method: 'GET',
    path: '/docs/images/:name',
    who: 'public',
    summary: 'A picture of the guide.',
    answers: { 200: 'text' },
  }),
}
