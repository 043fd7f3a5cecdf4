import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createCategories = (http: HttpClient) => ({
  list: (query?: Query<'listCategories'>, options?: RequestOptions) =>
    list(http, 'listCategories', 'Categories', { query, options }),
  create: (body: Body<'createCategory'>, options?: RequestOptions) =>
    http.call('createCategory', { body, options }),
  get: (categoryId: number, options?: RequestOptions) =>
    http.call('getCategory', { path: { categoryId }, options }),
  update: (categoryId: number, body: Body<'updateCategory'>, options?: RequestOptions) =>
    http.call('updateCategory', { path: { categoryId }, body, options }),
  /** Deletes the entry and removes it from all files. */
  delete: (categoryId: number, options?: RequestOptions) =>
    http.call('deleteCategory', { path: { categoryId }, options }),
})

export const createVideotypes = (http: HttpClient) => ({
  list: (query?: Query<'listVideotypes'>, options?: RequestOptions) =>
    list(http, 'listVideotypes', 'Videotypes', { query, options }),
  create: (body: Body<'createVideotype'>, options?: RequestOptions) =>
    http.call('createVideotype', { body, options }),
  get: (videotypeId: number, options?: RequestOptions) =>
    http.call('getVideotype', { path: { videotypeId }, options }),
  update: (videotypeId: number, body: Body<'updateVideotype'>, options?: RequestOptions) =>
    http.call('updateVideotype', { path: { videotypeId }, body, options }),
  /** Deletes the entry and removes it from all files. */
  delete: (videotypeId: number, options?: RequestOptions) =>
    http.call('deleteVideotype', { path: { videotypeId }, options }),
})

export const createShares = (http: HttpClient) => ({
  list: (query?: Query<'listShares'>, options?: RequestOptions) =>
    list(http, 'listShares', 'Shares', { query, options }),
  create: (body: Body<'createShare'>, options?: RequestOptions) =>
    http.call('createShare', { body, options }),
  get: (shareId: number, options?: RequestOptions) => http.call('getShare', { path: { shareId }, options }),
  update: (shareId: number, body: Body<'updateShare'>, options?: RequestOptions) =>
    http.call('updateShare', { path: { shareId }, body, options }),
  /** Deletes the entry and removes it from all files. */
  delete: (shareId: number, options?: RequestOptions) =>
    http.call('deleteShare', { path: { shareId }, options }),
})

export const createIabCategories = (http: HttpClient) => ({
  list: (query?: Query<'listIabCategories'>, options?: RequestOptions) =>
    list(http, 'listIabCategories', 'IABCategories', { query, options }),
})
