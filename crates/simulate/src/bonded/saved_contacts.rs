//! Checkpoint of candidate contacts as plain numbers.

use super::body::Body;
use super::contact_search::coordinates_in_space;
use super::lattice_surface::SurfaceFacet;
use super::surface_contact::{BodyParticleId, ContactFace, ContactNode, SurfaceContacts};
use crate::Error;

/// Candidate contacts, valid until the next search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedContacts {
    /// Nodes: body and particle.
    pub nodes: Vec<[u32; 2]>,
    /// Fractions of the nodes' reaches that count.
    pub reach_fractions: Vec<f64>,
    /// Faces: body, number of corners, corners.
    pub faces: Vec<[u32; 5]>,
    /// Pairs of a node and a face.
    pub pairs: Vec<[u32; 2]>,
    /// Pairs of a node and a wall.
    pub wall_pairs: Vec<[u32; 2]>,
    /// Displacement bounds since the search and since springs broke (negative if none did), and the Verlet skin.
    pub displacements: [f64; 3],
    /// Whether there was a search at all.
    pub is_searched: bool,
}

impl<const D: usize> SurfaceContacts<D> {
    pub(super) fn save(&self) -> SavedContacts {
        let face = |ContactFace { body, facet, .. }: &ContactFace| {
            let mut numbers = [*body as u32, facet.corners().len() as u32, 0, 0, 0];
            numbers[2..2 + facet.corners().len()].copy_from_slice(facet.corners());
            numbers
        };
        SavedContacts {
            nodes: (self.nodes.iter()).map(|node| [node.id.body as u32, node.id.number]).collect(),
            reach_fractions: self.nodes.iter().map(|node| node.reach_fraction).collect(),
            faces: self.faces.iter().map(face).collect(),
            pairs: self.pairs.clone(),
            wall_pairs: self.wall_pairs.clone(),
            displacements: [
                self.displacement_bound,
                self.displacement_since_break.unwrap_or(-1.0),
                self.skin,
            ],
            is_searched: self.is_searched,
        }
    }

    /// Restores saved contacts; `walls` is the number of walls.
    pub(super) fn restore(
        saved: &SavedContacts,
        bodies: &[Body<D>],
        walls: usize,
    ) -> Result<Self, Error> {
        let damaged = || Error::Saved("its contacts name bodies that the scene has not".to_owned());
        let body_of = |body: u32, number: u32| {
            let body = bodies.get(body as usize).ok_or_else(damaged)?;
            let is_there = (number as usize) < body.grid.slot_count();
            if is_there { Ok(body) } else { Err(damaged()) }
        };
        let mut contacts = SurfaceContacts {
            pairs: saved.pairs.clone(),
            wall_pairs: saved.wall_pairs.clone(),
            skin: saved.displacements[2],
            displacement_bound: saved.displacements[0],
            displacement_since_break: Some(saved.displacements[1]).filter(|opened| *opened >= 0.0),
            is_searched: saved.is_searched,
            ..SurfaceContacts::default()
        };
        for (&[body, number], &reach_fraction) in saved.nodes.iter().zip(&saved.reach_fractions) {
            let of = body_of(body, number)?;
            let (row, outline_depth) =
                (of.grid.row_of(number as usize) as u32, of.outline_depth(number as usize));
            let id = BodyParticleId { body: body as usize, number };
            let coordinates = coordinates_in_space(of, number as usize);
            contacts.nodes.push(ContactNode {
                id,
                row,
                coordinates,
                outline_depth,
                reach_fraction,
            });
        }
        for face in &saved.faces {
            let corners = face.get(2..2 + face[1] as usize).ok_or_else(damaged)?;
            let mut outline_depths = [0.0; 3];
            for (depth, &corner) in outline_depths.iter_mut().zip(corners) {
                *depth = body_of(face[0], corner)?.outline_depth(corner as usize);
            }
            let facet = SurfaceFacet::new(corners);
            let first = *corners.first().ok_or_else(damaged)?;
            let coordinates = coordinates_in_space(body_of(face[0], first)?, first as usize);
            contacts.faces.push(ContactFace {
                body: face[0] as usize,
                facet,
                outline_depths,
                coordinates,
            });
        }
        let counts = [contacts.nodes.len(), contacts.faces.len()];
        let is_there = |pair: &[u32; 2], second: usize| {
            (pair[0] as usize) < counts[0] && (pair[1] as usize) < second
        };
        let are_there = saved.pairs.iter().all(|pair| is_there(pair, counts[1]))
            && saved.wall_pairs.iter().all(|pair| is_there(pair, walls))
            && saved.reach_fractions.len() == saved.nodes.len();
        if !are_there {
            return Err(damaged());
        }
        contacts.group_pairs();
        Ok(contacts)
    }
}
